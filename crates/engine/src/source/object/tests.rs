#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::*;
use crate::source::on_behalf_of;

const SECRET: &str = "hidden/secret";

/// A service that calls a function with each request and then closes the connection.
struct Service {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Service {
    fn start(answer: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let service = Self { port: listener.local_addr().unwrap().port(), requests: Arc::default() };
        let (requests, answer) = (service.requests.clone(), Arc::new(answer));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (requests, answer) = (requests.clone(), answer.clone());
                thread::spawn(move || {
                    let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                    let request = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
                    requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
                    // The client may close the connection early.
                    let _ = answer(request.lines().next().unwrap_or_default(), &mut stream);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        service
    }

    fn responding(status: &str, body: &str) -> Self {
        let answer = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        Self::start(move |_, stream| stream.write_all(answer.as_bytes()))
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns a provider for this service, with a secret in every variable for credentials.
    fn provider(&self) -> ObjectStoreProvider {
        self.provider_with(HttpOptions::default(), &[])
    }

    fn provider_with(&self, options: HttpOptions, buckets: &[&str]) -> ObjectStoreProvider {
        let url = format!("http://127.0.0.1:{}", self.port);
        let variables = [
            ("AWS_ENDPOINT_URL", url.clone()),
            ("AWS_ACCESS_KEY_ID", "hidden".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
            ("AWS_SESSION_TOKEN", SECRET.to_owned()),
            ("GOOGLE_BASE_URL", url.clone()),
            ("GOOGLE_BEARER_TOKEN", SECRET.to_owned()),
            ("AZURE_STORAGE_CONNECTION_STRING", format!("AccountName=ada;AccountKey=aGlkZGVu;BlobEndpoint={url}/ada")),
        ];
        let http = HttpOptions { proxy: false, retries: 0, ..options };
        ObjectStoreProvider::new(http, options_of(&variables, buckets))
    }
}

fn options_of(variables: &[(&str, String)], buckets: &[&str]) -> ObjectStoreOptions {
    ObjectStoreOptions {
        buckets: buckets.iter().map(|bucket| (*bucket).to_owned()).collect(),
        variables: Some(variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()),
        objects: 4,
    }
}

fn at(address: &str) -> Address {
    Address::parse(address).unwrap()
}

const STORES: [&str; 3] = ["s3://box", "gs://box", "az://box"];

#[test]
fn objects_are_read_from_each_service() {
    let service = Service::responding("200 OK", "12345");
    let provider = service.provider();
    for (number, store) in STORES.iter().enumerate() {
        let address = at(&format!("{store}/a b/c#1.yaml").replace('#', "%23"));
        assert!(provider.serves(&address) && provider.is_slow(&address));
        assert_eq!(provider.read(&address, 5), Ok(b"12345".to_vec()), "{store}");
        assert_eq!(provider.read(&address, 4), Err(ReadError::TooLarge { limit: 4 }), "{store}");
        let requests = service.requests();
        let path = percent_decode_str(requests[2 * number].split(' ').nth(1).unwrap()).decode_utf8().unwrap();
        assert!(path.ends_with("/box/a b/c#1.yaml"), "{path}");
        assert!(requests[2 * number].contains("authorization: "), "{}", requests[2 * number]);
    }
    assert!(!provider.serves(&at("https://box/a.yaml")));
}

#[test]
fn requests_without_credentials_are_not_signed() {
    let service = Service::responding("200 OK", "12345");
    let url = format!("http://127.0.0.1:{}", service.port);
    let variables = [
        ("AWS_ENDPOINT_URL", url.clone()),
        ("STORAGE_EMULATOR_HOST", url.trim_start_matches("http://").to_owned()),
        ("AZURE_STORAGE_ACCOUNT", "ada".to_owned()),
        ("AZURE_STORAGE_ENDPOINT", url),
    ];
    let http = HttpOptions { proxy: false, ..HttpOptions::default() };
    let provider = ObjectStoreProvider::new(http, options_of(&variables, &[]));
    for store in STORES {
        assert_eq!(provider.read(&at(&format!("{store}/a.yaml")), 5), Ok(b"12345".to_vec()), "{store}");
    }
    assert!(service.requests().iter().all(|request| !request.contains("authorization")));
}

#[test]
fn errors_have_the_status_and_no_secrets() {
    let body = format!("<Error><Code>AccessDenied</Code><StringToSign>{SECRET}</StringToSign></Error>");
    let hidden = "<Error><Code>hidden/secret</Code></Error>".to_owned();
    let missing = "<Error><Code>NoSuchBucket</Code></Error>".to_owned();
    for (status, body, code) in
        [("403 X", &body, "AccessDenied"), ("500 X", &hidden, ""), ("404 X", &missing, "NoSuchBucket")]
    {
        let service = Service::responding(status, body);
        let provider = service.provider();
        for store in STORES {
            let error = provider.read(&at(&format!("{store}/a.yaml")), 5).unwrap_err();
            let ReadError::Service { status: got, code: found, .. } = &error else { panic!("{error:?}") };
            assert_eq!((format!("{got} X").as_str(), found.as_str()), (status, code));
            let shown = format!("{error} {error:?} {:?} {provider:?}", error.help());
            assert!(
                !shown.contains("hidden") && !shown.contains("aGlkZGVu") && !shown.contains("Signature"),
                "{shown}"
            );
            assert!(!provider.exists(&at(&format!("{store}/a.yaml"))));
        }
    }
    let service = Service::responding("404 X", "<Error><Code>NoSuchKey</Code></Error>");
    for store in STORES {
        assert_eq!(service.provider().read(&at(&format!("{store}/a.yaml")), 5), Err(ReadError::NotFound));
    }
}

#[test]
fn remote_documents_refer_only_to_their_bucket_and_named_ones() {
    let service = Service::responding("200 OK", "1");
    let options = || HttpOptions { private_network: true, ..HttpOptions::default() };
    let provider = service.provider_with(options(), &["s3://types"]);
    let read = |importer: Option<&str>, address: &str| {
        on_behalf_of(importer.map(at), || provider.read(&at(address), 5).map(|_| ()))
    };
    assert_eq!(read(None, "s3://other/a.yaml"), Ok(()));
    assert_eq!(read(Some("s3://box/a.yaml"), "s3://box/b.yaml"), Ok(()));
    assert_eq!(read(Some("s3://box/a.yaml"), "s3://types/b.yaml"), Ok(()));
    for importer in ["s3://box/a.yaml", "gs://other/a.yaml", "https://example.com/a.yaml"] {
        let refused = Err(ReadError::OtherBucket { bucket: "s3://other".to_owned() });
        assert_eq!(read(Some(importer), "s3://other/a.yaml"), refused, "{importer}");
        let exists = || on_behalf_of(Some(at(importer)), || provider.exists(&at("s3://other/a.yaml")));
        assert!(!exists(), "{importer}");
    }
}

#[test]
fn private_endpoints_are_refused_to_other_remote_documents() {
    let service = Service::responding("200 OK", "1");
    let read = |is_allowed: bool, importer: Option<&str>| {
        let options = HttpOptions { private_network: is_allowed, ..HttpOptions::default() };
        let provider = service.provider_with(options, &["s3://box"]);
        on_behalf_of(importer.map(at), || provider.read(&at("s3://box/b.yaml"), 5).map(|_| ()))
    };
    assert_eq!(read(false, None), Ok(()));
    assert_eq!(read(false, Some("s3://box/a.yaml")), Ok(()));
    assert_eq!(read(false, Some("s3://other/a.yaml")), Ok(()));
    assert_eq!(read(false, Some("gs://other/a.yaml")), Err(ReadError::PrivateNetwork));
    assert_eq!(read(false, Some("https://example.com/a.yaml")), Err(ReadError::PrivateNetwork));
    assert_eq!(read(true, Some("https://example.com/a.yaml")), Ok(()));
    // The same for a name that leads to such an address.
    let named = [("AWS_ENDPOINT_URL", format!("http://localhost:{}", service.port))];
    let http = HttpOptions { proxy: false, ..HttpOptions::default() };
    let provider = ObjectStoreProvider::new(http, options_of(&named, &["s3://box"]));
    let importer = Some(at("https://example.com/a.yaml"));
    let read = on_behalf_of(importer, || provider.read(&at("s3://box/b.yaml"), 5));
    assert_eq!(read, Err(ReadError::PrivateNetwork));
}

#[test]
fn addresses_with_more_than_a_bucket_and_a_key_are_refused() {
    let provider = ObjectStoreProvider::new(HttpOptions::default(), options_of(&[], &[]));
    for address in [
        "s3://box/a.yaml?sig=1",
        "s3://box/a.yaml#1",
        "s3://ada:hidden@box/a.yaml",
        "s3://box:80/a.yaml",
        "s3://bo%2Fx/a.yaml",
        "s3://.box/a.yaml",
        "s3:///a.yaml",
        "s3://box/%FF.yaml",
        "s3://box/%0A.yaml",
    ] {
        let error = provider.read(&at(address), 5).unwrap_err();
        assert!(matches!(error, ReadError::Refused(_)), "{address}: {error:?}");
        assert!(!format!("{error:?} {}", at(address)).contains("hidden"));
    }
}

#[test]
fn invalid_variables_are_reported_without_their_values() {
    let variables = [("AWS_ACCESS_KEY_ID", "hidden".to_owned()), ("GOOGLE_SERVICE_ACCOUNT_KEY", "hidden".to_owned())];
    let provider = ObjectStoreProvider::new(HttpOptions::default(), options_of(&variables, &[]));
    for (address, expected) in [
        ("s3://box/a.yaml", "the environment variables of S3 are incomplete or invalid: AWS_ACCESS_KEY_ID"),
        (
            "gs://box/a.yaml",
            "the environment variables of Google Cloud Storage are incomplete or invalid: GOOGLE_SERVICE_ACCOUNT_KEY",
        ),
        ("az://box/a.yaml", "the environment variables of Azure Blob Storage are incomplete or invalid: none are set"),
    ] {
        assert_eq!(provider.read(&at(address), 5).unwrap_err().to_string(), expected);
    }
}

#[test]
fn failures_of_the_server_are_bounded_and_retried() {
    let count = Arc::new(Mutex::new(0));
    let seen = count.clone();
    let service = Service::start(move |_, stream| {
        let mut seen = seen.lock().unwrap();
        *seen += 1;
        if *seen < 3 {
            return write!(stream, "HTTP/1.1 503 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        let date = "Last-Modified: Sat, 28 Nov 2026 05:00:00 GMT\r\nETag: \"1\"\r\nConnection: close";
        write!(stream, "HTTP/1.1 200 OK\r\n{date}\r\nContent-Length: 1\r\n\r\n1")
    });
    let provider = service.provider();
    let error = provider.read(&at("s3://box/a.yaml"), 5).unwrap_err();
    assert!(matches!(error, ReadError::Service { status: 503, .. }), "{error:?}");
    let patient =
        ObjectStoreProvider::new(HttpOptions { retries: 3, ..provider.http.clone() }, provider.options.clone());
    assert_eq!(patient.read(&at("s3://box/a.yaml"), 5), Ok(b"1".to_vec()));
    assert_eq!(*count.lock().unwrap(), 3);

    // A service that never stops sending, or never begins.
    let service = Service::start(|_, stream| {
        let date = "Last-Modified: Sat, 28 Nov 2026 05:00:00 GMT\r\nETag: \"1\"";
        write!(stream, "HTTP/1.1 200 OK\r\n{date}\r\nContent-Length: 1000000000\r\n\r\n")?;
        loop {
            stream.write_all(&[b' '; 4096])?;
        }
    });
    assert_eq!(service.provider().read(&at("s3://box/a.yaml"), 9), Err(ReadError::TooLarge { limit: 9 }));
    let service = Service::start(|_, _| {
        thread::sleep(Duration::from_secs(600));
        Ok(())
    });
    let hasty = HttpOptions { timeout: Duration::from_millis(50), ..HttpOptions::default() };
    let error = service.provider_with(hasty, &[]).read(&at("s3://box/a.yaml"), 9).unwrap_err();
    assert!(error.to_string().starts_with("no complete response"), "{error}");
    // A port on which no program listens.
    let free = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let provider = Service { port: free, requests: Arc::default() }.provider();
    let error = provider.read(&at("s3://box/a.yaml"), 9).unwrap_err();
    assert_eq!(error, ReadError::Network("the host refuses the connection".to_owned()));
}

/// Returns a page of a listing, in the form of S3 and Google Cloud Storage or in the form of Azure.
fn page(request: &str, keys: &[&str], next: &str) -> String {
    let list: fn(&str) -> String = if request.contains("comp=list") {
        |key| {
            let date = "<Last-Modified>Sat, 28 Nov 2026 05:00:00 GMT</Last-Modified><Content-Length>1</Content-Length>";
            let rest = "<Content-Type>text/yaml</Content-Type><Etag>1</Etag>";
            format!("<Blob><Name>{key}</Name><Properties>{date}{rest}</Properties></Blob>")
        }
    } else {
        |key| {
            let date = "<LastModified>2026-11-28T05:00:00.000Z</LastModified><ETag>\"1\"</ETag>";
            format!("<Contents><Key>{key}</Key><Size>1</Size>{date}</Contents>")
        }
    };
    let objects: String = keys.iter().map(|key| list(key)).collect();
    let body = if request.contains("comp=list") {
        format!("<EnumerationResults><Blobs>{objects}</Blobs><NextMarker>{next}</NextMarker></EnumerationResults>")
    } else if next.is_empty() {
        format!("<ListBucketResult>{objects}</ListBucketResult>")
    } else {
        let next = format!("<NextContinuationToken>{next}</NextContinuationToken>");
        format!("<ListBucketResult>{objects}{next}</ListBucketResult>")
    };
    format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn folders_are_listed_in_pages_up_to_a_limit() {
    for store in STORES {
        let service = Service::start(|request, stream| {
            let is_second = request.contains("continuation-token=second") || request.contains("marker=second");
            let answer = if is_second {
                page(request, &["a/3.yaml", "a/1.yaml"], "")
            } else {
                page(request, &["a/b/2.yaml", "a/4%.yaml"], "second")
            };
            stream.write_all(answer.as_bytes())
        });
        let provider = service.provider();
        let folder = at(&format!("{store}/a/"));
        let found = provider.objects_below(&folder).unwrap();
        let found: Vec<String> = found.iter().map(|address| address.to_string().replace(store, "")).collect();
        assert_eq!(found, ["/a/1.yaml", "/a/3.yaml", "/a/4%25.yaml", "/a/b/2.yaml"], "{store}");
        assert!(service.requests()[0].contains("prefix=a%2F"), "{}", service.requests()[0]);
        let options = ObjectStoreOptions { objects: 3, ..provider.options.clone() };
        let error = ObjectStoreProvider::new(provider.http.clone(), options).objects_below(&folder).unwrap_err();
        assert_eq!(error, ReadError::TooManyObjects { limit: 3 });
        assert_eq!(error.to_string(), "it has more than 3 objects");
    }
}

#[test]
fn endless_listings_are_bounded() {
    for (store, keys) in STORES.into_iter().zip([&[][..], &["a/1.yaml"], &[]]) {
        let service = Service::start(move |request, stream| stream.write_all(page(request, keys, "more").as_bytes()));
        let error = service.provider().objects_below(&at(&format!("{store}/a/"))).unwrap_err().to_string();
        assert!(error.ends_with("sent more than 100 pages without a new object"), "{error}");
        assert_eq!(service.requests().len(), 101 + keys.len());
    }
    // Some empty pages are normal.
    let count = Mutex::new(0);
    let service = Service::start(move |request, stream| {
        let mut count = count.lock().unwrap();
        *count += 1;
        let (keys, next): (&[&str], _) = if *count < 50 { (&[], "more") } else { (&["a/1.yaml"], "") };
        stream.write_all(page(request, keys, next).as_bytes())
    });
    assert_eq!(service.provider().objects_below(&at("az://box/a/")), Ok(vec![at("az://box/a/1.yaml")]));
}

#[test]
fn unsupported_keys_are_reported() {
    let service = Service::start(|request, stream| stream.write_all(page(request, &["a//1.yaml"], "").as_bytes()));
    for store in STORES {
        let error = service.provider().objects_below(&at(&format!("{store}/a/"))).unwrap_err();
        let text = "one of its objects has a key with an empty part, `.`, `..` or a control character";
        assert_eq!(error, ReadError::Refused(text.to_owned()), "{store}");
    }
}

#[test]
fn starts_of_many_objects_are_read_in_order() {
    let service = Service::start(|request, stream| {
        let date = "Last-Modified: Sat, 28 Nov 2026 05:00:00 GMT\r\nETag: \"1\"\r\nConnection: close";
        let name = request.split(['/', ' ']).nth(3).unwrap_or_default();
        if name == "empty" {
            return write!(stream, "HTTP/1.1 416 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        let length = name.len();
        let range = format!("Content-Range: bytes 0-{}/{length}", length - 1);
        write!(stream, "HTTP/1.1 206 X\r\n{date}\r\n{range}\r\nContent-Length: {length}\r\n\r\n{name}")
    });
    let names: Vec<String> = (0..40).map(|number| format!("n{number}")).chain(["empty".to_owned()]).collect();
    let addresses: Vec<Address> = names.iter().map(|name| at(&format!("s3://box/{name}"))).collect();
    let read = service.provider().read_starts(&addresses, 3);
    let expected = names.iter().map(|name| Ok(if name == "empty" { Vec::new() } else { name.clone().into_bytes() }));
    assert_eq!(read, expected.collect::<Vec<_>>());
    assert!(service.requests().iter().all(|request| request.contains("range: bytes=0-2")));
}

#[test]
fn many_threads_read_at_once() {
    let service = Service::start(|request, stream| {
        let name = request.split(' ').nth(1).unwrap_or_default();
        thread::sleep(Duration::from_millis(20));
        let date = "Last-Modified: Sat, 28 Nov 2026 05:00:00 GMT\r\nETag: \"1\"\r\nConnection: close";
        write!(stream, "HTTP/1.1 200 OK\r\n{date}\r\nContent-Length: {}\r\n\r\n{name}", name.len())
    });
    let provider = service.provider();
    let read = &|number: usize| provider.read(&at(&format!("s3://box/{number}")), 100);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..64).map(|number| scope.spawn(move || read(number))).collect();
        for (number, thread) in threads.into_iter().enumerate() {
            assert_eq!(thread.join().unwrap(), Ok(format!("/box/{number}").into_bytes()));
        }
    });
}
