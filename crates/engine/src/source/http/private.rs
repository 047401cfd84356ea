//! Recognizes and rejects addresses that only this computer or its network can reach.

use std::collections::BTreeSet;
use std::error::Error;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// The error for a connection that is rejected because of its address.
#[derive(Debug, thiserror::Error)]
#[error("a private address")]
pub(in crate::source) struct PrivateAddress;

/// The hosts that were found at private addresses.
pub(in crate::source) type PrivateHosts = Arc<Mutex<BTreeSet<String>>>;

/// Returns whether the host in a URL is a literal private address.
pub(in crate::source) fn is_written(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => is_private(address.into()),
        Some(Host::Ipv6(address)) => is_private(address.into()),
        Some(Host::Domain(_)) | None => false,
    }
}

/// Returns whether only this computer or its network can reach an address: a loopback, link-local, private,
/// carrier-grade NAT or reserved address.
pub(in crate::source) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || first == 0
        || first >= 240
        || (first == 100 && second & 0b1100_0000 == 64)
        || (first == 192 && second == 0 && third == 0)
        || (first == 198 && second & 0b1111_1110 == 18)
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let [first, second, .., seventh, eighth] = address.segments();
    let low = Ipv4Addr::from((u32::from(seventh) << 16) | u32::from(eighth));
    let is_in = |prefix: u16, bits: u32| first >> (16 - bits) == prefix >> (16 - bits);
    match address.segments() {
        // Mapped, compatible and translated addresses contain an IPv4 address.
        [0, 0, 0, 0, 0, 0xffff | 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            is_private_v4(low) || address.is_loopback() || address.is_unspecified()
        }
        [0, 0, 0, 0, 0xffff, 0, ..] => is_private_v4(low),
        [0x64, 0xff9b, 1, ..] => true,
        [0x2002, one, two, ..] => is_private_v4(((u32::from(one) << 16) | u32::from(two)).into()),
        // Tunnel (Teredo) addresses contain the address of a server and an obfuscated address.
        [0x2001, 0, ..] => true,
        // Private use, link-local, site-local, multicast.
        _ => {
            is_in(0xfc00, 7)
                || is_in(0xfe80, 10)
                || is_in(0xfec0, 10)
                || is_in(0xff00, 8)
                || (first == 0x2001 && second == 0xdb8)
        }
    }
}

/// A resolver of host names that uses the system's resolver. Hosts with private addresses are recorded or rejected.
pub(in crate::source) struct Resolver {
    pub(in crate::source) refuses: bool,
    pub(in crate::source) private: PrivateHosts,
    /// The hosts of the user's proxies, which may have any address.
    pub(in crate::source) proxies: BTreeSet<String>,
}

impl Resolver {
    /// Returns the hosts of the proxies in environment variables.
    pub(in crate::source) fn proxies() -> BTreeSet<String> {
        let variables = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
        let values = variables.iter().filter_map(|variable| std::env::var(variable).ok());
        let url = |value: String| {
            Url::parse(&value).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("http://{value}")).ok())
        };
        values.filter_map(url).filter_map(|url| Some(url.host_str()?.to_owned())).collect()
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_ascii_lowercase();
        let (refuses, private) = (self.refuses && !self.proxies.contains(&host), self.private.clone());
        let answer = Answer::default();
        let sender = answer.clone();
        // The system's resolver blocks, which must not happen on the client's thread.
        let started = std::thread::Builder::new().name("resolver".to_owned()).spawn(move || {
            sender.send((host.as_str(), 0).to_socket_addrs().map_err(Into::into).and_then(|found| {
                let (hidden, public): (Vec<SocketAddr>, Vec<SocketAddr>) =
                    found.partition(|found| is_private(found.ip()));
                if !refuses {
                    if !hidden.is_empty() {
                        private.lock().unwrap_or_else(PoisonError::into_inner).insert(host.clone());
                    }
                    return Ok(hidden.into_iter().chain(public).collect());
                }
                if public.is_empty() && !hidden.is_empty() { Err(PrivateAddress.into()) } else { Ok(public) }
            }));
        });
        if let Err(error) = started {
            answer.send(Err(error.into()));
        }
        Box::pin(async move { Ok(Box::new(answer.await?.into_iter()) as Addrs) })
    }
}

type Found = Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>>;

/// A result that another thread will provide.
#[derive(Clone, Default)]
struct Answer(Arc<Mutex<(Option<Found>, Option<Waker>)>>);

impl Answer {
    fn send(&self, found: Found) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 = Some(found);
        if let Some(waker) = state.1.take() {
            waker.wake();
        }
    }
}

impl Future for Answer {
    type Output = Found;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Found> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.0.take() {
            Some(found) => Poll::Ready(found),
            None => {
                state.1 = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn private_addresses_are_recognized_in_every_notation() {
        for host in [
            "127.0.0.1",
            "2130706433",
            "0x7f.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "255.255.255.255",
            "224.0.0.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:a00:1]",
            "[fe80::1]",
            "[fd00::1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[::127.0.0.1]",
            "[ff02::1]",
        ] {
            assert!(is_written(&Url::parse(&format!("http://{host}/a.yaml")).unwrap()), "{host}");
        }
        for host in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "[::ffff:1.1.1.1]", "example.com"] {
            assert!(!is_written(&Url::parse(&format!("http://{host}/a.yaml")).unwrap()), "{host}");
        }
    }
}
