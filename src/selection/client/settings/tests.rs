//! What the environment may say, and what the client makes of it.

use super::*;

fn read(vars: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    Settings::from_environment(Some("m"), Duration::from_mins(10), &|name| {
        let found = vars.iter().find(|(var, _)| *var == name)?;
        Some(found.1.to_owned())
    })
}

fn with_base(base: &str) -> Result<Settings, SettingsError> {
    read(&[("OPENAI_BASE_URL", base)])
}

#[test]
fn k23_the_base_url_becomes_the_calls_address() {
    for (base, want) in [
        ("http://h:8080", "http://h:8080/v1/chat/completions"),
        ("http://h:8080/", "http://h:8080/v1/chat/completions"),
        ("http://h:8080//", "http://h:8080/v1/chat/completions"),
        ("http://h:8080/v1", "http://h:8080/v1/chat/completions"),
        ("http://h:8080/v1/", "http://h:8080/v1/chat/completions"),
        ("https://h/api/v3", "https://h/api/v3/chat/completions"),
        ("https://h/api/v3///", "https://h/api/v3/chat/completions"),
        ("HTTPS://H/v1", "https://h/v1/chat/completions"),
        (" http://h/v1\r\n", "http://h/v1/chat/completions"),
        ("http://[::1]:1/v1", "http://[::1]:1/v1/chat/completions"),
        (
            "https://h/d/m?api-version=2#x",
            "https://h/d/m/chat/completions?api-version=2",
        ),
        ("https://h?v=2", "https://h/v1/chat/completions?v=2"),
    ] {
        assert_eq!(
            with_base(base).unwrap().endpoint.url().as_str(),
            want,
            "{base}"
        );
    }
}

#[test]
fn k23_without_a_base_url_the_public_endpoint_is_asked() {
    for vars in [
        vec![("OPENAI_API_KEY", "sk-test-0001")],
        vec![("OPENAI_API_KEY", "sk-test-0001"), ("OPENAI_BASE_URL", " ")],
    ] {
        let settings = read(&vars).unwrap();
        assert_eq!(
            settings.endpoint_shown(),
            "https://api.openai.com/v1/chat/completions"
        );
    }
}

#[test]
fn k23_what_is_no_http_address_is_a_fault_with_a_mend() {
    for (base, part) in [
        ("localhost:8080", "write http://localhost:8080"),
        ("127.0.0.1:8080/v1", "write http://127.0.0.1:8080/v1"),
        ("api.example.com", "write http://api.example.com"),
        ("ftp://h/v1", "neither http nor https"),
        ("file:///etc", "neither http nor https"),
        ("http://", "write it like http://localhost:8080/v1"),
        ("nonsense", "write it like http://localhost:8080/v1"),
        (
            "http://h/v1/chat/completions/",
            "leave out /chat/completions",
        ),
    ] {
        let text = with_base(base).unwrap_err().to_string();
        assert!(text.contains("OPENAI_BASE_URL"), "{text}");
        assert!(text.contains(part), "{base}: {text}");
    }
}

#[test]
fn k25_a_key_or_a_base_url_is_needed_and_an_empty_key_counts_as_none() {
    for vars in [
        vec![],
        vec![("OPENAI_API_KEY", ""), ("OPENAI_BASE_URL", "")],
    ] {
        let text = read(&vars).unwrap_err().to_string();
        assert!(text.contains("OPENAI_API_KEY") && text.contains("OPENAI_BASE_URL"));
    }
    assert!(read(&[("OPENAI_API_KEY", ""), ("OPENAI_BASE_URL", "http://h")]).is_ok());
}

#[test]
fn k24_the_model_has_no_default() {
    let env = |_: &str| Some("http://h".to_owned());
    for model in [None, Some(""), Some("  ")] {
        let got = Settings::from_environment(model, Duration::from_secs(1), &env);
        let fault = got.unwrap_err();
        assert_eq!(fault, SettingsError::NoModel);
        assert!(fault.to_string().contains("--model"));
    }
}

#[test]
fn k28_the_cap_is_a_positive_integer() {
    let cap = |value| {
        read(&[
            ("OPENAI_BASE_URL", "http://h"),
            ("SEDUM_MAX_COMPLETION_TOKENS", value),
        ])
    };
    assert_eq!(with_base("http://h").unwrap().max_completion_tokens, 16_384);
    assert_eq!(cap("4096").unwrap().max_completion_tokens, 4096);
    for wrong in [
        "0",
        "-1",
        "+5",
        "1.5",
        "many",
        "",
        "1e4",
        "99999999999999999999999",
    ] {
        let text = cap(wrong).unwrap_err().to_string();
        assert!(
            text.contains("SEDUM_MAX_COMPLETION_TOKENS"),
            "{wrong}: {text}"
        );
    }
}

#[test]
fn a_time_out_of_nothing_is_refused() {
    let got = Settings::from_environment(Some("m"), Duration::ZERO, &|_| Some("http://h".into()));
    assert_eq!(got.unwrap_err(), SettingsError::NoTime);
}

#[test]
fn g4_neither_key_nor_credentials_are_shown() {
    let settings = read(&[
        ("OPENAI_API_KEY", "sk-very-secret"),
        (
            "OPENAI_BASE_URL",
            "https://me:pass%40word@h/v1?key=hush-hush",
        ),
    ]);
    let settings = settings.unwrap();
    let shown = format!("{settings:?} {}", settings.endpoint_shown());
    for secret in ["very-secret", "pass", "word", "me:", "hush"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert_eq!(settings.endpoint.credentials(), Some(("me", "pass@word")));
    let in_path = read(&[
        ("OPENAI_API_KEY", "sk-very-secret"),
        ("OPENAI_BASE_URL", "https://h/sk-very-secret/v1"),
    ]);
    let in_path = in_path.unwrap();
    assert_eq!(
        in_path.endpoint_shown(),
        "https://h/[hidden]/v1/chat/completions"
    );
    assert!(!format!("{in_path:?}").contains("very-secret"));
    for base in [
        "ftp://me:pass@word@h/v1?key=hush",
        "me:pass@word@h",
        "http://me:pass@word@:x",
        "sk-very-secret",
    ] {
        let vars = [
            ("OPENAI_API_KEY", "sk-very-secret"),
            ("OPENAI_BASE_URL", base),
        ];
        let text = format!("{0} {0:?}", read(&vars).unwrap_err());
        for secret in ["pass", "word", "hush", "very-secret"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

#[test]
fn a_key_that_no_header_can_carry_is_named_and_not_shown() {
    for key in ["sk-a b", "sk-ä", "sk-a\nb"] {
        let fault = read(&[("OPENAI_API_KEY", key)]).unwrap_err();
        assert_eq!(fault, SettingsError::BadKey);
        assert!(!fault.to_string().contains("sk-"));
    }
    assert_eq!(
        read(&[("OPENAI_API_KEY", " sk-a\n")])
            .unwrap()
            .key
            .exposed(),
        "sk-a"
    );
}

#[test]
fn loopback_addresses_are_known() {
    for (base, want) in [
        ("http://localhost:1", true),
        ("http://a.localhost", true),
        ("http://127.9.9.9:1", true),
        ("http://[::1]", true),
        ("http://10.0.0.1", false),
        ("http://localhost.example.com", false),
    ] {
        assert_eq!(
            with_base(base).unwrap().endpoint.is_loopback(),
            want,
            "{base}"
        );
    }
}

proptest::proptest! {
    #[test]
    fn k23_no_base_url_panics_and_every_address_ends_in_the_call(base in "\\PC{0,40}") {
        for base in [base.clone(), format!("http://{base}")] {
            if let Ok(settings) = with_base(&base) {
                proptest::prop_assert!(settings.endpoint.url().path().ends_with("/chat/completions"));
            }
        }
    }
}
