#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn parse(url: &str) -> Address {
    Address::parse(url).unwrap()
}

fn at(path: &str) -> Address {
    Address::from_path(Path::new(path), Path::new("/work"))
}

#[cfg(unix)]
#[test]
fn arguments_are_paths_or_urls() {
    for (argument, expected) in [
        ("service.yaml", "file:///work/service.yaml"),
        ("./a/../b//service.yaml", "file:///work/b/service.yaml"),
        ("../../../service.yaml", "file:///service.yaml"),
        ("/", "file:///"),
        (".", "file:///work"),
        ("folder/", "file:///work/folder"),
        ("my service #1 100%?.yaml", "file:///work/my%20service%20%231%20100%25%3F.yaml"),
        ("a%20b.yaml", "file:///work/a%2520b.yaml"),
        ("größe.yaml", "file:///work/gr%C3%B6%C3%9Fe.yaml"),
        ("file:///a/./b%20c.yaml", "file:///a/b%20c.yaml"),
        ("file://localhost/a.yaml", "file:///a.yaml"),
        ("file:/a.yaml", "file:///a.yaml"),
        ("file:a%20b.yaml", "file:///work/a%20b.yaml"),
        ("FILE:///a.yaml", "file:///a.yaml"),
        ("https://example.com", "https://example.com/"),
        ("HTTPS://Example.COM:443/a/../b.yaml?x=1#y", "https://example.com/b.yaml?x=1"),
        ("memory:a.yaml", "memory:/a.yaml"),
        ("demo://host/a.yaml", "demo://host/a.yaml"),
        // Paths with a drive and names with a colon are not URLs.
        ("C:\\types.yaml", "file:///work/C:%5Ctypes.yaml"),
        ("org.base:v1", "file:///work/org.base:v1"),
        ("-", "file:///work/-"),
    ] {
        let address = Address::from_argument(argument, Path::new("/work")).unwrap();
        assert_eq!(address.to_string(), expected, "{argument}");
    }
}

#[test]
fn invalid_addresses_are_reported() {
    let error = |text: &str| Address::from_argument(text, Path::new("/work")).unwrap_err();
    assert_eq!(error(""), AddressError::Empty);
    assert_eq!(error("https://").to_string(), "`https://` is not a valid URL: empty host");
    assert_eq!(error("http://host:x/").to_string(), "`http://host:x/` is not a valid URL: invalid port number");
    assert_eq!(Address::parse("types.yaml").unwrap_err().to_string(), "`types.yaml` is not an absolute URL");
    assert_eq!(Address::parse("file:types.yaml").unwrap_err().to_string(), "`file:types.yaml` is not an absolute URL");
    assert_eq!(Address::parse("C:/types.yaml").unwrap_err().to_string(), "`C:/types.yaml` is not an absolute URL");
}

#[cfg(not(windows))]
#[test]
fn files_have_no_host() {
    let error = Address::parse("file://types/a.yaml").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`file://types/a.yaml` names a file on the host `types`, which can't be read from here"
    );
    assert_eq!(
        error.help().unwrap(),
        "write `file:types/a.yaml` for a relative path, or `file:///types/a.yaml` for an absolute one"
    );
    assert_eq!(Address::parse("file://").unwrap_err(), AddressError::Relative { text: "file://".to_owned() });
}

#[test]
fn one_place_has_one_address() {
    let same = |one: &str, other: &str| assert_eq!(parse(one), parse(other));
    same("file:///a/b.yaml", "file:/a/./c/../b.yaml");
    same("file:///a%20b", "file:///a b");
    same("file:///%61", "file:///a");
    same("file:///a//b", "file:///a/b");
    same("file:///a?b#c", "file:///a%3Fb%23c");
    same("memory:a/b", "memory:///a/b");
    same("memory://a/b", "memory:/a/b");
    same("builtin:a%20b", "builtin:/a b");
    same("https://host/a", "https://HOST:443/x/../a#fragment");
    assert_ne!(parse("https://host/a"), parse("https://host/a?x"));
    assert_ne!(parse("https://host/a"), parse("https://user@host/a"));
    assert_ne!(parse("file:///a"), parse("file:///a/"));
}

#[cfg(unix)]
#[test]
fn paths_come_back() {
    use std::os::unix::ffi::OsStrExt;
    for path in [
        &b"/a/b.yaml"[..],
        b"/ ",
        b"/a#b?c%20d",
        b"/C:/a|b",
        b"/\xff\xfe",
        b"/a\\b",
        b"/a\nb",
        "/größe/类型".as_bytes(),
        b"/",
        b"/~/[x]{y}^`",
    ] {
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        let address = Address::from_path(path, Path::new("/work"));
        assert_eq!(address.to_path().unwrap(), path);
        assert_eq!(parse(&address.to_string()), address, "what is shown means the same");
    }
    assert_eq!(parse("https://host/a").to_path(), None);
    assert_eq!(parse("memory:a").to_path(), None);
}

#[cfg(unix)]
#[test]
fn a_directory_need_not_be_absolute() {
    assert_eq!(Address::from_path(Path::new("a"), Path::new("b")).to_string(), "file:///b/a");
    assert_eq!(Address::from_path(Path::new(""), Path::new("")).to_string(), "file:///");
}

#[cfg(unix)]
#[test]
fn references_of_files_are_taken_literally() {
    let service = at("project/service.yaml");
    for (reference, expected) in [
        ("types.yaml", "file:///work/project/types.yaml"),
        ("../types.yaml", "file:///work/types.yaml"),
        ("../../../../types.yaml", "file:///types.yaml"),
        ("/types.yaml", "file:///types.yaml"),
        ("//host/types.yaml", "file:///host/types.yaml"),
        ("a b#c?d%20e.yaml", "file:///work/project/a%20b%23c%3Fd%2520e.yaml"),
        ("file:a%20b.yaml", "file:///work/project/a%20b.yaml"),
        ("file:../types.yaml", "file:///work/types.yaml"),
        ("file:///types.yaml", "file:///types.yaml"),
        ("https://host/types.yaml", "https://host/types.yaml"),
        ("a:b.yaml", "file:///work/project/a:b.yaml"),
        ("", "file:///work/project/service.yaml"),
        (".", "file:///work/project/"),
        ("..", "file:///work/"),
        ("types/", "file:///work/project/types/"),
    ] {
        assert_eq!(service.join(reference).unwrap().to_string(), expected, "{reference}");
    }
    let directory = at("project").as_directory();
    assert_eq!(directory.join("types.yaml").unwrap(), at("project/types.yaml"));
}

#[test]
fn references_of_texts_in_memory_are_taken_literally() {
    let service = parse("memory:project/service.yaml");
    for (reference, expected) in [
        ("types.yaml", "memory:/project/types.yaml"),
        ("../../types.yaml", "memory:/types.yaml"),
        ("/a//types.yaml", "memory:/a/types.yaml"),
        ("a b#c?d%20e.yaml", "memory:/project/a%20b%23c%3Fd%2520e.yaml"),
        ("file:a%20b.yaml", "memory:/project/a%20b.yaml"),
        ("memory:x", "memory:/x"),
        ("types/", "memory:/project/types/"),
    ] {
        assert_eq!(service.join(reference).unwrap().to_string(), expected, "{reference}");
    }
}

#[test]
fn references_of_urls_are_those_of_the_standard() {
    let service = parse("https://user:pw@example.com:8443/a/b/service.yaml?ref=main");
    for (reference, expected) in [
        ("types.yaml", "/a/b/types.yaml"),
        ("../types.yaml?ref=x#y", "/a/types.yaml?ref=x"),
        ("../../../../types.yaml", "/types.yaml"),
        ("/types.yaml", "/types.yaml"),
        ("a b.yaml", "/a/b/a%20b.yaml"),
        ("a%20b.yaml", "/a/b/a%20b.yaml"),
        ("100%.yaml", "/a/b/100%25.yaml"),
        ("types\\a.yaml", "/a/b/types/a.yaml"),
        ("org.base:v1", "/a/b/org.base:v1"),
        ("?ref=x", "/a/b/service.yaml?ref=x"),
        ("", "/a/b/service.yaml?ref=main"),
        // None of these references leads to a different host.
        ("//evil.example/x", "/evil.example/x"),
        ("\\\\evil.example\\x", "/evil.example/x"),
        ("/\t/evil.example/x", "/%09/evil.example/x"),
        (" //evil.example/x", "/evil.example/x"),
        ("\u{b}//evil.example/x", "/evil.example/x"),
        ("/./\\evil.example/x", "//evil.example/x"),
        ("javascript:x", "/a/b/javascript:x"),
    ] {
        let joined = service.join(reference).unwrap();
        assert_eq!(joined.to_string(), format!("https://example.com:8443{expected}"), "{reference:?}");
        assert_eq!(joined.url().unwrap().password(), Some("pw"));
    }
    assert_eq!(service.join("https://evil.example/x").unwrap().to_string(), "https://evil.example/x");
}

#[test]
fn other_schemes_have_paths_too() {
    let service = parse("git://host/repository/service.yaml?ref=main");
    assert_eq!(service.join("../a #b.yaml").unwrap().to_string(), "git://host/a%20%23b.yaml");
    assert_eq!(service.directory().to_string(), "git://host/repository/");
    let opaque = parse("untitled:Untitled-1");
    assert_eq!(
        opaque.join("types.yaml").unwrap_err().to_string(),
        "nothing can be relative to `untitled:Untitled-1`, which has no path"
    );
    assert_eq!(opaque.directory(), opaque);
    assert_eq!(opaque.as_directory(), opaque);
}

#[test]
fn directories_end_with_a_slash() {
    for (address, directory) in [
        ("file:///a/b.yaml", "file:///a/"),
        ("file:///a/", "file:///a/"),
        ("file:///a", "file:///"),
        ("memory:a/b", "memory:/a/"),
        ("https://host/a/b.yaml?x", "https://host/a/"),
        ("https://host", "https://host/"),
    ] {
        assert_eq!(parse(address).directory().to_string(), directory, "{address}");
    }
    for (address, directory) in [
        ("file:///a/b", "file:///a/b/"),
        ("file:///", "file:///"),
        ("https://host/raw/master?x", "https://host/raw/master/"),
        ("https://host/raw/?x", "https://host/raw/"),
    ] {
        assert_eq!(parse(address).as_directory().to_string(), directory, "{address}");
    }
}

#[test]
fn names_are_decoded() {
    assert_eq!(parse("file:///a/b%20c.yaml").file_name(), "b c.yaml");
    assert_eq!(parse("https://host/a/b%20c/?x=y").file_name(), "b c");
    assert_eq!(parse("https://host").file_name(), "");
    assert_eq!(parse("memory:a").scheme(), "memory");
    assert!(parse("http://host").is_remote() && parse("https://host").is_remote());
    assert!(!parse("file:///a").is_remote() && !parse("demo://host").is_remote());
    for scheme in OBJECT_STORES {
        let object = parse(&format!("{scheme}://bucket/a/b.yaml"));
        assert!(object.is_remote() && object.is_object() && !object.is_http());
        // Paths are taken literally.
        let joined = object.join("../x #1?.yaml").unwrap();
        assert_eq!(joined.to_string(), format!("{scheme}://bucket/x%20%231%3F.yaml"));
        assert_eq!(parse(&joined.to_string()), joined);
        assert_eq!(parse(&format!("{scheme}://bucket/a/./c/../b.yaml")), object);
    }
}

#[cfg(unix)]
#[test]
fn files_are_shown_as_paths() {
    let shown = |address: &str, directory: Option<&str>| parse(address).display_name(directory.map(Path::new));
    assert_eq!(shown("file:///work/a/b%20c.yaml", Some("/work")), "a/b c.yaml");
    assert_eq!(shown("file:///work/a.yaml", Some("/work/x/..")), "a.yaml");
    assert_eq!(shown("file:///work/a.yaml", Some("/other")), "/work/a.yaml");
    assert_eq!(shown("file:///workshop/a.yaml", Some("/work")), "/workshop/a.yaml");
    assert_eq!(shown("file:///work/a.yaml", None), "/work/a.yaml");
    assert_eq!(shown("file:///work", Some("/work")), ".");
    assert_eq!(shown("file:///work/%1b[31m%0a%E2%80%AE.yaml", Some("/work")), "\\u{1b}[31m\\n\\u{202e}.yaml");
    assert_eq!(shown("https://user:pw@host/a", Some("/work")), "https://host/a");
    assert_eq!(shown("memory:a", None), "memory:/a");
}

#[test]
fn credentials_are_never_shown() {
    for (url, expected) in [
        ("https://user:pass@host/a", "https://host/a"),
        ("https://token@host/a", "https://host/a"),
        ("https://:pass@host/a", "https://host/a"),
        ("https://host/a?x=1&private_token=abc&y", "https://host/a?x=1&private_token=***&y"),
        ("https://host/a?X-Amz-Signature=abc", "https://host/a?X-Amz-Signature=***"),
        ("https://host/a?to%6Ben=abc", "https://host/a?to%6Ben=***"),
        ("demo://user:pass@host/a", "demo://host/a"),
    ] {
        let address = parse(url);
        assert_eq!(address.to_string(), expected);
        assert_eq!(format!("{address:?}"), format!("Address({expected})"));
        assert_eq!(address.display_name(None), expected);
        assert_eq!(address.url().unwrap().as_str(), url);
    }
    // These URLs are invalid, so it is unclear where the password ends.
    for url in [
        "https://user:pa/ss@host/a",
        "https://user:pass@",
        "https://user:p@ss@ho st/a",
        "https://user:pass@host:x",
        "file://user:pass@host/x",
    ] {
        let error = Address::parse(url).unwrap_err();
        for text in [error.to_string(), format!("{error:?}")] {
            assert!(!text.contains("pa") && !text.contains("ss@") && !text.contains("user"), "{text}");
        }
    }
}

#[test]
fn equal_addresses_have_equal_hashes() {
    let set: HashSet<Address> = ["file:///a", "file:/a", "file:///b"].into_iter().map(parse).collect();
    assert_eq!(set.len(), 2);
    let mut sorted = vec![parse("file:///b"), parse("file:///a"), parse("builtin:x")];
    sorted.sort();
    assert_eq!(sorted, [parse("builtin:x"), parse("file:///a"), parse("file:///b")]);
    assert_eq!(parse("file:///a").clone(), parse("file:///a"));
}

/// Generates strings of tokens that have a meaning in addresses, and other strings.
pub(in crate::source) fn strange_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => prop::sample::select(vec![
            "..", ".", "/", "//", "\\", ":", "file:", "file://", "https://", "http:", "memory:", "builtin:", "demo://",
            "urn:", "C:", "@", "?", "#", "%", "%2e", "%2F", "%00", " ", "\t", "\n", "\u{0}", "[", "]", "a", "b.yaml",
            "host", "localhost", "user:pass@", "xn--", "é", "\u{202e}",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn bases() -> Vec<Address> {
    ["file:///", "file:///a/b.yaml", "memory:a/b.yaml", "https://user:pw@host/a/b.yaml?x", "demo://host/a", "urn:x"]
        .map(parse)
        .to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text_is_an_address_or_an_error(text in strange_text()) {
        for address in [Address::from_argument(&text, Path::new("/work")), Address::parse(&text)].into_iter().flatten() {
            prop_assert!(!address.scheme().is_empty());
            prop_assert_eq!(&address.clone(), &address);
            if let Some(path) = address.to_path() {
                prop_assert!(path.has_root());
                prop_assert_eq!(&parse(&address.to_string()), &address);
                if !address.path().ends_with('/') {
                    prop_assert_eq!(&Address::from_path(&path, Path::new("/")), &address);
                }
            }
            let shown = address.display_name(Some(Path::new("/work")));
            prop_assert!(!shown.is_empty() && !shown.contains(char::is_control));
            prop_assert_eq!(address.directory().directory(), address.directory());
            prop_assert_eq!(address.as_directory().as_directory(), address.as_directory());
        }
    }

    #[test]
    fn joined_addresses_are_absolute(reference in strange_text()) {
        for base in bases() {
            let Ok(joined) = base.join(&reference) else { continue };
            match &joined.0.form {
                Form::Path { .. } => {
                    prop_assert!(joined.path().starts_with('/'));
                    prop_assert!(!joined.path().split('/').any(|name| matches!(name, "." | "..")));
                }
                Form::Inside { .. } => prop_assert!(joined.archive().is_some()),
                Form::Url(url) => prop_assert_eq!(&Url::parse(url.as_str()).unwrap(), &**url),
            }
        }
    }

    #[test]
    fn paths_stay_where_they_are(reference in strange_text()) {
        for base in bases() {
            let Ok(joined) = base.join_path(&reference) else { continue };
            prop_assert!(joined.same_origin(&base), "{} leads from {} to {}", reference, base, joined);
        }
    }

    #[test]
    fn displayed_texts_contain_no_password(before in "[a-z:/]{0,5}", after in strange_text()) {
        let text = format!("https://{before}:hidden@{after}");
        let shown = match Address::parse(&text) {
            Ok(address) => address.to_string(),
            Err(error) => error.to_string(),
        };
        // After a slash, the text is part of the path.
        prop_assert!(!shown.contains("hidden") || before.contains('/'), "{}", shown);
    }
}

#[test]
fn files_in_archives_have_addresses() {
    let directory = Path::new("/home/ada");
    let inside = Address::from_argument("my service!.zip!/types/a b.yaml", directory).unwrap();
    assert_eq!(inside.to_string(), "archive:file:///home/ada/my%20service%21.zip!/types/a%20b.yaml");
    assert_eq!(inside.display_name(Some(directory)), "my service!.zip!/types/a b.yaml");
    assert_eq!(inside.path_in_archive().unwrap(), "types/a b.yaml");
    assert_eq!(inside.file_name(), "a b.yaml");
    assert_eq!(Address::parse(&inside.to_string()).unwrap(), inside);
    assert!(inside.to_path().is_none() && inside.url().is_none() && !inside.is_remote() && inside.is_local());
    let archive = inside.archive().unwrap();
    assert_eq!(archive, &Address::from_path(Path::new("my service!.zip"), directory));
    // References can't lead out of the archive.
    for (reference, expected) in [
        ("x.yaml", "types/x.yaml"),
        ("../../../x.yaml", "x.yaml"),
        ("/x.yaml", "x.yaml"),
        ("file:../x%20y.yaml", "x y.yaml"),
    ] {
        let joined = inside.join(reference).unwrap();
        assert_eq!((joined.archive(), joined.path_in_archive().as_deref()), (Some(archive), Some(expected)));
    }
    let other = archive.inside("/other/./y.yaml");
    assert!(other.same_origin(&inside) && other.is_below(&archive.inside("other")) && !inside.is_below(&other));
    assert!(!inside.same_origin(archive));

    let remote = Address::parse("https://ada:secret@example.com/a.zip?v=1").unwrap().inside("b.yaml");
    assert_eq!(remote.to_string(), "archive:https://example.com/a.zip?v=1!/b.yaml");
    assert_eq!(remote.display_name(None), "https://example.com/a.zip?v=1!/b.yaml");
    assert!(!format!("{remote:?}").contains("secret"));
    for wrong in ["archive:a.zip!/b", "archive:file:///a.zip", "archive:archive:file:///a.zip!/b.zip!/c"] {
        assert!(Address::parse(wrong).is_err(), "{wrong}");
    }
}
