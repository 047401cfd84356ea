#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;
use crate::source::on_behalf_of;

/// A server that calls a function to answer each request and then closes the connection.
struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(answer: impl Fn(&str, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), requests: Arc::default() };
        let requests = Arc::clone(&server.requests);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (requests, answer) = (Arc::clone(&requests), Arc::clone(&answer));
                thread::spawn(move || {
                    let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                    let request = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
                    requests.lock().unwrap().push(request.clone());
                    // The client may close the connection early.
                    let _ = answer(request.lines().next().unwrap_or_default(), &mut stream);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        server
    }

    /// Starts a server that always gives the same response.
    fn saying(answer: impl Into<String>) -> Self {
        let answer = answer.into();
        Self::start(move |_, stream| stream.write_all(answer.as_bytes()))
    }

    fn address(&self, path: &str) -> Address {
        Address::parse(&format!("http://127.0.0.1:{}{path}", self.port)).unwrap()
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Reads from this server and returns the error, which must not repeat the credentials in the URL.
    #[track_caller]
    fn error(&self, http: &HttpProvider, limit: u64) -> ReadError {
        let url = format!("http://hidden-user:hidden-password@127.0.0.1:{}/hidden?token=hidden", self.port);
        let error = http.read(&Address::parse(&url).unwrap(), limit).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hidden"), "{error}");
        error
    }
}

/// A timeout that no response exceeds, even on a slow machine.
const LONG: Duration = Duration::from_secs(600);

fn http() -> HttpProvider {
    patient(LONG)
}

fn patient(timeout: Duration) -> HttpProvider {
    // Tests must not use the proxy of the user who runs them.
    let options = HttpOptions { timeout, proxy: false, retries: 0, private_network: true, ..HttpOptions::default() };
    HttpProvider::with_options(options)
}

fn network(text: &str) -> ReadError {
    ReadError::Network(text.to_owned())
}

#[test]
fn a_source_is_read() {
    let server = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345");
    let http = http();
    let address = server.address("/a%20b.yaml?ref=main");
    assert!(http.serves(&address) && http.is_slow(&address));
    assert_eq!(http.identity(&address), address);
    assert_eq!(http.read(&address, 5), Ok(b"12345".to_vec()));
    let requests = server.requests();
    assert!(requests[0].starts_with("GET /a%20b.yaml?ref=main HTTP/1.1"), "{}", requests[0]);
    assert!(requests[0].contains(concat!("user-agent: ", env!("CARGO_PKG_NAME"), "/")), "{}", requests[0]);
    assert!(!requests[0].contains("authorization"), "{}", requests[0]);
}

#[test]
fn credentials_are_used() {
    let server = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let url = format!("http://Aladdin:open%20sesame@127.0.0.1:{}/", server.port);
    assert_eq!(http().read(&Address::parse(&url).unwrap(), 5), Ok(Vec::new()));
    assert!(server.requests()[0].contains("authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
}

#[test]
fn the_client_is_created_when_it_is_needed() {
    let http = HttpProvider::new();
    let file = Address::parse("file:///a.yaml").unwrap();
    assert!(!http.serves(&file) && !http.is_slow(&file) && !http.exists(&file));
    assert_eq!(http.read(&file, 10), Err(ReadError::no_provider(&file)));
    let demo = Address::parse("demo://host/").unwrap();
    assert_eq!(http.read(&demo, 10), Err(ReadError::no_provider(&demo)));
    assert!(http.unbounded.get().is_none() && http.public.get().is_none());
}

#[test]
fn a_status_is_a_message() {
    for (status, expected) in [
        ("404 Nope", "it does not exist"),
        ("410 Gone", "it does not exist"),
        ("401 X", "the server responded with 401 (Unauthorized)"),
        ("403 X", "the server responded with 403 (Forbidden)"),
        ("500 X", "the server responded with 500 (Internal Server Error)"),
        ("599 X", "the server responded with 599"),
        ("304 X", "the server responded with 304 (Not Modified)"),
    ] {
        let server = Server::saying(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n"));
        assert_eq!(server.error(&http(), 100).to_string(), expected);
    }
}

#[test]
fn redirects_are_followed() {
    let server = Server::start(|request, stream| {
        let answer = if request.starts_with("GET /start ") {
            "302 Found\r\nConnection: close\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n"
        } else {
            "200 OK\r\nContent-Length: 3\r\n\r\nend"
        };
        write!(stream, "HTTP/1.1 {answer}")
    });
    assert_eq!(http().read(&server.address("/start"), 10), Ok(b"end".to_vec()));
    assert!(!server.requests()[1].contains("referer"));
}

#[test]
fn redirects_end() {
    let server = Server::saying("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /hidden\r\n\r\n");
    assert_eq!(server.error(&http(), 10), network("the server redirects more than 10 times"));
    assert_eq!(server.requests().len(), 11);

    let server = Server::saying("HTTP/1.1 301 Moved\r\nLocation: ftp://hidden/\r\nContent-Length: 0\r\n\r\n");
    let expected = "the server redirects to an address that begins with `ftp:`";
    assert_eq!(server.error(&http(), 10), ReadError::Refused(expected.to_owned()));

    let server = Server::saying("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(server.error(&http(), 10).to_string(), "the server responded with 301 (Moved Permanently)");
}

#[test]
fn redirects_from_public_documents_stay_public() {
    let bounded = || HttpProvider::with_options(HttpOptions { private_network: false, ..http().options });
    let secret = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret");
    let read = |http: &HttpProvider, address: &Address| http.read(address, 10);
    // The user names the address.
    assert_eq!(read(&bounded(), &secret.address("/a")), Ok(b"secret".to_vec()));
    // The server redirects to itself and to a different server.
    let location = secret.address("/a").to_string();
    let server = Server::start(move |request, stream| {
        let answer = match request.split(' ').nth(1) {
            Some("/same") => "302 Found\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n".to_owned(),
            Some("/end") => "200 OK\r\nContent-Length: 3\r\n\r\nend".to_owned(),
            Some("/name") => {
                let other = location.replace("127.0.0.1", "localhost");
                format!("302 Found\r\nLocation: {other}\r\nContent-Length: 0\r\n\r\n")
            }
            _ => format!("302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"),
        };
        write!(stream, "HTTP/1.1 {answer}")
    });
    assert_eq!(read(&bounded(), &server.address("/same")), Ok(b"end".to_vec()));
    assert_eq!(read(&bounded(), &server.address("/other")), Err(ReadError::PrivateNetwork));
    assert_eq!(read(&bounded(), &server.address("/name")), Err(ReadError::PrivateNetwork));
    assert!(!bounded().exists(&server.address("/other")));
    assert_eq!(read(&http(), &server.address("/other")), Ok(b"secret".to_vec()));
    assert_eq!(read(&http(), &server.address("/name")), Ok(b"secret".to_vec()));
}

#[test]
fn imports_from_the_network_stay_public() {
    let bounded = || HttpProvider::with_options(HttpOptions { private_network: false, ..http().options });
    let secret = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret");
    let importer = |url: &str| Some(Address::parse(url).unwrap());
    let address = secret.address("/a");
    let by_name = Address::parse(&address.to_string().replace("127.0.0.1", "localhost")).unwrap();
    for address in [&address, &by_name] {
        let read = |http: &HttpProvider, importer: Option<Address>| on_behalf_of(importer, || http.read(address, 10));
        for other in ["http://example.com/b", "http://127.0.0.1:1/b", "http://localhost:1/b"] {
            assert_eq!(read(&bounded(), importer(other)), Err(ReadError::PrivateNetwork), "{address} {other}");
        }
        assert_eq!(read(&http(), importer("http://example.com/b")), Ok(b"secret".to_vec()));
        assert_eq!(read(&bounded(), None), Ok(b"secret".to_vec()));
        // A document on the same private server names the address.
        let same = bounded();
        assert_eq!(read(&same, None), Ok(b"secret".to_vec()));
        assert_eq!(read(&same, Some(address.clone())), Ok(b"secret".to_vec()));
    }
    // The host name had a different address when the document was read.
    assert_eq!(on_behalf_of(Some(by_name.clone()), || bounded().read(&by_name, 10)), Err(ReadError::PrivateNetwork));
}

#[test]
fn a_secure_connection_stays_secure() {
    let url = |text: &str| Url::parse(text).unwrap();
    let (secure, insecure) = (url("https://host/"), url("http://host/"));
    assert_eq!(refusal(std::slice::from_ref(&secure), &insecure, 10), Some(Refusal::Insecure));
    assert_eq!(refusal(&[secure.clone(), secure.clone()], &insecure, 10), Some(Refusal::Insecure));
    assert_eq!(refusal(std::slice::from_ref(&insecure), &secure, 10), None);
    assert_eq!(refusal(&[insecure.clone(), secure.clone()], &insecure, 10), Some(Refusal::Insecure));
    assert_eq!(refusal(std::slice::from_ref(&insecure), &insecure, 1), None);
    assert_eq!(refusal(&[insecure.clone(), insecure.clone()], &insecure, 1), Some(Refusal::TooMany(1)));
    assert_eq!(refusal(&[secure], &url("data:,x"), 10), Some(Refusal::Scheme("data".to_owned())));
}

#[test]
fn a_slow_server_is_left() {
    let silent = Server::start(|_, stream| {
        // The server waits until the client closes the connection.
        io::copy(stream, &mut io::sink()).map(drop)
    });
    let dripping = Server::start(|_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\n\r\n")?;
        loop {
            stream.write_all(b"#")?;
            thread::sleep(Duration::from_millis(20));
        }
    });
    for server in [silent, dripping] {
        let error = server.error(&patient(Duration::from_millis(200)), 1 << 20);
        assert_eq!(error, network("no complete response within 200ms"));
    }
}

#[test]
fn the_limit_applies_to_any_announced_size() {
    let endless = |head: &'static str, part: &'static str| {
        Server::start(move |_, stream| {
            stream.write_all(head.as_bytes())?;
            loop {
                stream.write_all(part.as_bytes())?;
            }
        })
    };
    for server in [
        Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n"),
        Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000\r\n\r\nx"),
        Server::saying(format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(101))),
        endless("HTTP/1.1 200 OK\r\n\r\n", "xxxxxxxxxxxxxxxx"),
        endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "10\r\nxxxxxxxxxxxxxxxx\r\n"),
    ] {
        assert_eq!(server.error(&http(), 100), ReadError::TooLarge { limit: 100 });
    }
    let exact = Server::saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    assert_eq!(http().read(&exact.address("/"), 5), Ok(b"abcde".to_vec()));
    // Anything beyond the announced length is ignored.
    let longer = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabc");
    assert_eq!(http().read(&longer.address("/"), 5), Ok(b"ab".to_vec()));
}

#[test]
fn incomplete_responses_are_errors() {
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhidden\r\n",
    ] {
        let error = Server::saying(answer).error(&http(), 1000);
        assert_eq!(error, network(BROKEN_OFF), "{answer}");
    }
}

#[test]
fn closed_connections_are_reopened_once() {
    let closing = Server::saying("");
    assert_eq!(closing.error(&http(), 10), network(BROKEN_OFF));
    assert_eq!(closing.requests().len(), 2);

    let first = AtomicBool::new(true);
    let server = Server::start(move |_, stream| {
        if first.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
    });
    assert_eq!(http().read(&server.address("/"), 5), Ok(b"ab".to_vec()));
}

#[test]
fn no_answer_has_a_reason() {
    let other = Server::saying("220 hidden FTP server ready\r\n");
    assert_eq!(other.error(&http(), 10), network("the response of the server is not valid HTTP"));
    let head = "HTTP/1.1 200 OK\r\n".to_owned() + &"hidden: x\r\n".repeat(100_000);
    assert_eq!(Server::saying(head).error(&http(), 10), network("the response of the server is not valid HTTP"));
    // This is the port of a server that has been closed.
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let nobody = Server { port, requests: Arc::default() };
    assert_eq!(nobody.error(&http(), 10), network("the host refuses the connection"));
}

#[test]
fn sources_exist_or_not() {
    let server = Server::start(|request, stream| {
        let status = match request.split(' ').take(2).collect::<Vec<_>>()[..] {
            ["HEAD", "/here"] | ["GET", "/get-only"] => "200 OK",
            ["HEAD", "/get-only"] => "405 Method Not Allowed",
            _ => "404 Not Found",
        };
        write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    });
    let http = http();
    assert!(http.exists(&server.address("/here")));
    assert!(http.exists(&server.address("/get-only")));
    assert!(!http.exists(&server.address("/absent")));
    let requests: Vec<String> =
        server.requests().iter().map(|request| request.lines().next().unwrap().to_owned()).collect();
    assert_eq!(
        requests,
        ["HEAD /here HTTP/1.1", "HEAD /get-only HTTP/1.1", "GET /get-only HTTP/1.1", "HEAD /absent HTTP/1.1"]
    );
}

#[test]
fn threads_share_the_client() {
    let server = Server::start(|request, stream| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{path}", path.len())
    });
    let http = http();
    thread::scope(|scope| {
        for number in 0..8 {
            let (http, server) = (&http, &server);
            scope.spawn(move || {
                let path = format!("/{number}");
                assert_eq!(http.read(&server.address(&path), 10), Ok(path.into_bytes()));
            });
        }
    });
}

#[test]
fn invalid_options_are_an_error() {
    let http = HttpProvider::with_options(HttpOptions { user_agent: "a\nb".to_owned(), ..HttpOptions::default() });
    let address = Address::parse("http://127.0.0.1/").unwrap();
    assert_eq!(http.read(&address, 1), Err(network("the HTTP client can't be set up with these options")));
}

#[test]
fn certificates_have_reasons() {
    let text = |error: CertificateError| {
        let carried = io::Error::new(ErrorKind::InvalidData, rustls::Error::InvalidCertificate(error));
        describe(&io::Error::other(carried))
    };
    assert_eq!(
        text(CertificateError::UnknownIssuer),
        "the certificate of the server comes from an issuer that is not trusted"
    );
    assert_eq!(text(CertificateError::Expired), "the certificate of the server has expired");
    assert_eq!(text(CertificateError::NotValidForName), "the certificate of the server is for a different host");
    assert_eq!(text(CertificateError::BadEncoding), "the certificate of the server is invalid or not trusted");
    let other = io::Error::other(rustls::Error::HandshakeNotComplete);
    assert_eq!(describe(&other), "no secure connection can be made to the server");
}

#[test]
fn there_are_certificates_without_a_platform() {
    let verifier = bundled_certificates(Arc::new(ring::default_provider())).unwrap();
    assert!(!verifier.supported_verify_schemes().is_empty());
    assert!(tls().is_ok());
}

#[test]
fn temporary_errors_are_retried() {
    let failing = |status: &'static str, times: usize| {
        let left = Mutex::new(times);
        Server::start(move |_, stream| {
            let mut left = left.lock().unwrap();
            let status = if *left > 0 { status } else { "200 OK" };
            *left = left.saturating_sub(1);
            write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab")
        })
    };
    let http = |timeout, retries| {
        let timeout = Duration::from_millis(timeout);
        HttpProvider::with_options(HttpOptions { timeout, retries, proxy: false, ..HttpOptions::default() })
    };
    for (status, code) in [("503 X", 503), ("429 X", 429), ("502 X", 502), ("504 X", 504)] {
        let server = failing(status, 2);
        assert_eq!(http(600_000, 2).read(&server.address("/"), 5), Ok(b"ab".to_vec()));
        assert_eq!(server.requests().len(), 3);
        let server = failing(status, 2);
        assert!(
            matches!(http(600_000, 1).read(&server.address("/"), 5), Err(ReadError::Status { code: it, .. }) if it == code)
        );
    }
    // Permanent errors are not retried, and nothing is retried after the timeout.
    let server = failing("500 X", 1);
    assert!(http(600_000, 3).read(&server.address("/"), 5).is_err());
    assert_eq!(server.requests().len(), 1);
    let server = failing("503 X", 100);
    assert!(http(500, 100).read(&server.address("/"), 5).is_err());
    assert!(server.requests().len() < 10);
    // A source is requested again if the response breaks off.
    let first = AtomicBool::new(true);
    let server = Server::start(move |_, stream| {
        let body = if first.swap(false, Ordering::Relaxed) { "a" } else { "ab" };
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{body}")
    });
    assert_eq!(http(600_000, 1).read(&server.address("/"), 5), Ok(b"ab".to_vec()));
}

#[test]
fn packed_answers_are_unpacked() {
    let pack = |bytes: &[u8]| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let server = |body: Vec<u8>| {
        Server::start(move |_, stream| {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len())?;
            stream.write_all(&body)
        })
    };
    let packed = server(pack(b"hello"));
    assert_eq!(http().read(&packed.address("/"), 5), Ok(b"hello".to_vec()));
    assert!(packed.requests()[0].contains("accept-encoding: gzip"));
    // The limit applies to the decompressed content.
    let bomb = server(pack(&vec![b'x'; 1 << 20]));
    assert_eq!(bomb.error(&http(), 100_000), ReadError::TooLarge { limit: 100_000 });
    // So does a limit on the expansion, however much a source may have.
    let zeros = server(pack(&vec![0; 17 << 20]));
    assert_eq!(zeros.error(&http(), 1 << 30), network("the response unpacks to more than 250 times its own size"));
    let not_packed = server(b"hello, this is not packed".to_vec());
    assert_eq!(
        not_packed.error(&http(), 100),
        network("the response does not have the encoding that the server declares")
    );
    let whole = pack(b"hello");
    let half = server(whole[..whole.len() - 4].to_vec());
    assert_eq!(half.error(&http(), 100), network(BROKEN_OFF));
}

#[test]
fn other_encodings_are_reported() {
    let server = Server::start(|path, stream| {
        let (status, encoding) = match path.split_whitespace().nth(1).unwrap_or_default() {
            "/upper" => ("200 OK", "GZIP"),
            "/old" => ("200 OK", "x-gzip"),
            "/br" => ("200 OK", "br"),
            "/twice" => ("200 OK", "gzip, gzip"),
            "/part" => ("206 Partial Content", "gzip"),
            "/nothing" => ("204 No Content", "identity"),
            _ => ("200 OK", "identity"),
        };
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(b"hello")?;
        let body = if encoding == "identity" { b"hello".to_vec() } else { gzip.finish()? };
        write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Encoding: {encoding}\r\n\r\n")?;
        if status.starts_with("204") { Ok(()) } else { stream.write_all(&body) }
    });
    let read = |path: &str| http().read(&server.address(path), 100);
    for path in ["/upper", "/old", "/plain"] {
        assert_eq!(read(path), Ok(b"hello".to_vec()), "{path}");
    }
    for path in ["/br", "/twice"] {
        assert_eq!(read(path), Err(network("the response has an encoding that was not requested")), "{path}");
    }
    assert_eq!(read("/part"), Err(ReadError::Status { code: 206, reason: "Partial Content" }));
    assert_eq!(read("/nothing"), Err(ReadError::Status { code: 204, reason: "No Content" }));
}

#[test]
fn unchanged_responses_are_not_sent_again() {
    let version = Arc::new(Mutex::new(1));
    let current = Arc::clone(&version);
    let server = Server::start(move |_, stream| {
        let number = *current.lock().unwrap();
        // The server claims that nothing has changed; the result shows what the client has cached.
        if number == 0 {
            return write!(stream, "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n");
        }
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"v{number}\"\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 \
             GMT\r\nContent-Length: 2\r\n\r\nv{number}"
        )
    });
    let folder = tempfile::tempdir().unwrap();
    let http = || {
        let cache = Some(folder.path().join("deep/cache"));
        HttpProvider::with_options(HttpOptions { cache, proxy: false, retries: 0, ..HttpOptions::default() })
    };
    let address = server.address("/a.yaml");
    assert_eq!(http().read(&address, 10), Ok(b"v1".to_vec()));
    *version.lock().unwrap() = 0;
    assert_eq!(http().read(&address, 10), Ok(b"v1".to_vec()));
    let request = &server.requests()[1];
    assert!(request.contains("if-none-match: \"v1\"") && request.contains("if-modified-since: Thu, 01"), "{request}");
    *version.lock().unwrap() = 2;
    assert_eq!(http().read(&address, 10), Ok(b"v2".to_vec()));
    // Other addresses don't use the cached response, and addresses with secrets are not cached.
    assert_eq!(http().read(&server.address("/b.yaml"), 10), Ok(b"v2".to_vec()));
    assert_eq!(http().read(&server.address("/c.yaml?token=x"), 10), Ok(b"v2".to_vec()));
    let files = || std::fs::read_dir(folder.path().join("deep/cache")).unwrap().map(|file| file.unwrap().path());
    assert_eq!(files().count(), 2);
    // A corrupt file counts as missing.
    for file in files() {
        std::fs::write(file, "{\"url\":").unwrap();
    }
    assert_eq!(http().read(&address, 10), Ok(b"v2".to_vec()));
    assert!(!server.requests().last().unwrap().contains("if-none-match"));
}
