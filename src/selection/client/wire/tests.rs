//! Bodies of all shapes, and what is read out of them.

use super::*;

fn of_message(message: &str) -> Result<Answer, Unreadable> {
    answer(format!("{{\"choices\":[{{\"message\":{message}}}]}}").as_bytes())
}

#[test]
fn k31_text_finish_and_counts_are_read() {
    let body = br#"{"id":1,"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},
        "finish_reason":"stop"},{"message":7}],"usage":{"prompt_tokens":12,"completion_tokens":3,"x":[]}}"#;
    let want = Answer {
        text: "hi".into(),
        finish: Some("stop".into()),
        prompt_tokens: 12,
        completion_tokens: 3,
        ..Answer::default()
    };
    assert_eq!(answer(body), Ok(want));
}

#[test]
fn k31_counts_that_are_none_are_not_reported() {
    for usage in [
        "null",
        "{}",
        "[]",
        "7",
        r#"{"prompt_tokens":null,"completion_tokens":-1}"#,
    ] {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"a"}}}}],"usage":{usage}}}"#);
        let got = answer(body.as_bytes()).unwrap();
        assert_eq!(
            (got.prompt_tokens, got.completion_tokens),
            (0, 0),
            "{usage}"
        );
    }
}

#[test]
fn k29_only_the_finish_reason_length_is_truncation() {
    for (finish, want) in [("\"length\"", true), ("\"stop\"", false), ("null", false)] {
        let body =
            format!(r#"{{"choices":[{{"message":{{"content":"a"}},"finish_reason":{finish}}}]}}"#);
        assert_eq!(answer(body.as_bytes()).unwrap().truncated, want, "{finish}");
    }
}

#[test]
fn k32a_reasoning_is_read_only_when_there_is_no_content() {
    for (message, text, from_reasoning) in [
        (r#"{"content":"a","reasoning_content":"b"}"#, "a", false),
        (r#"{"content":"","reasoning_content":"b"}"#, "b", true),
        (r#"{"content":null,"reasoning_content":"b"}"#, "b", true),
        (r#"{"reasoning_content":"b"}"#, "b", true),
        (r#"{"content":"\n\n","reasoning_content":"b"}"#, "b", true),
        (r#"{"content":" ","reasoning_content":""}"#, " ", false),
        (r#"{"content":"a","reasoning_content":7}"#, "a", false),
        (r#"{"content":[],"reasoning_content":"b"}"#, "b", true),
        (r#"{"content":null}"#, "", false),
        ("{}", "", false),
    ] {
        let got = of_message(message).unwrap();
        assert_eq!(
            (got.text.as_str(), got.from_reasoning),
            (text, from_reasoning),
            "{message}"
        );
    }
}

#[test]
fn content_may_be_parts_with_text() {
    let parts =
        r#"{"content":[{"type":"text","text":"a\n"},{"type":"image"},{"type":"text","text":"b"}]}"#;
    assert_eq!(of_message(parts).unwrap().text, "a\nb");
}

#[test]
fn k32_what_is_no_completion_says_why() {
    for (body, part) in [
        ("", "not the JSON object"),
        ("[1]", "not the JSON object"),
        ("{\"a\":1}", "no choices"),
        ("{\"choices\":[]}", "empty"),
        ("{\"choices\":null}", "no choices"),
        ("{\"choices\":{}}", "not a list"),
        ("{\"choices\":[{}]}", "no message"),
        ("{\"choices\":[{\"message\":null}]}", "no message"),
        ("{\"choices\":[{\"message\":\"hi\"}]}", "not an object"),
        (
            "{\"choices\":[{\"message\":{\"content\":7}}]}",
            "neither text",
        ),
        (
            "{\"choices\":[{\"message\":{\"content\":\"\\ud800\"}}]}",
            "neither text",
        ),
    ] {
        let got = answer(body.as_bytes()).unwrap_err();
        assert!(got.problem.contains(part) && got.excerpt, "{body}: {got:?}");
    }
}

#[test]
fn k32_an_error_in_place_of_a_completion_is_quoted() {
    for body in [
        r#"{"error":{"message":"out of memory"}}"#,
        r#"{"error":"out of memory","choices":[]}"#,
        r#"{"choices":[{"error":{"message":"out of memory","code":502}}]}"#,
    ] {
        assert_eq!(
            answer(body.as_bytes()).unwrap_err().message.as_deref(),
            Some("out of memory"),
            "{body}"
        );
    }
    let fine = r#"{"error":null,"choices":[{"message":{"content":"a"},"error":null}]}"#;
    assert!(answer(fine.as_bytes()).is_ok());
}

#[test]
fn k32_the_servers_message_is_found_in_every_usual_shape() {
    for (body, text) in [
        (
            r#"{"error":{"message":"no","param":null,"code":null}}"#,
            "no",
        ),
        (r#"{"error":"no"}"#, "no"),
        (r#"{"object":"error","message":"no","code":400}"#, "no"),
        (r#"{"detail":"no"}"#, "no"),
        (r#"{"detail":[{"msg":"no"}]}"#, r#"[{"msg":"no"}]"#),
        (r#"{"error":{"reason":"no"}}"#, r#"{"reason":"no"}"#),
        ("no", "no"),
        ("", ""),
    ] {
        assert_eq!(ServerMessage::read(body.as_bytes()).text, text, "{body}");
    }
    assert!(ServerMessage::read(b"\n<!DOCTYPE HTML><p>no").is_html);
    assert!(!ServerMessage::read(b"<p>").is_html);
}

proptest::proptest! {
    #[test]
    fn x37_no_body_panics(body in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60)) {
        let _ = answer(&body);
        let _ = ServerMessage::read(&body).unsupported();
    }
}
