//! Whether a book has another coordinator: there is no lease, a coordinator answers.

use std::time::Duration;

use futures_util::StreamExt;

use super::error::FleetError;

/// How long other coordinators of the book have to answer.
const ANSWER: Duration = Duration::from_millis(300);

/// A name for this process among coordinators.
pub(super) fn instance() -> Result<String, FleetError> {
    let number = getrandom::u64().map_err(|error| FleetError::Start(error.to_string()))?;
    Ok(format!("{number:016x}"))
}

/// Asks for other coordinators of the book. Of two that start at once the one of the smaller name
/// stays.
pub(super) async fn alone(
    client: &async_nats::Client,
    book: &str,
    instance: &str,
    asks: &mut async_nats::Subscriber,
) -> Result<(), FleetError> {
    let action = "ask for other coordinators";
    let failed = |error: &dyn std::fmt::Display| FleetError::refused(action, error);
    let inbox = client.new_inbox();
    let mut answers = client.subscribe(inbox.clone()).await.map_err(|error| failed(&error))?;
    let subject = format!("rosebill.coordinator.{book}");
    client
        .publish_with_reply(subject, inbox, instance.to_owned().into())
        .await
        .map_err(|error| failed(&error))?;
    let end = tokio::time::Instant::now() + ANSWER;
    loop {
        tokio::select! {
            Some(answer) = answers.next() => {
                let text = String::from_utf8_lossy(&answer.payload).into_owned();
                match text.split_once(' ') {
                    Some(("0", _)) => return Err(FleetError::SecondCoordinator),
                    Some(("1", other)) if other < instance => {
                        return Err(FleetError::SecondCoordinator);
                    }
                    _ => {}
                }
            }
            Some(ask) = asks.next() => {
                if let Some(reply) = ask.reply && ask.payload.as_ref() != instance.as_bytes() {
                    let _ = client.publish(reply, format!("1 {instance}").into()).await;
                }
            }
            () = tokio::time::sleep_until(end) => return Ok(()),
        }
    }
}

/// Answers another coordinator's question, which then knows that it is the second.
pub(super) async fn answer(client: &async_nats::Client, instance: &str, ask: async_nats::Message) {
    if let Some(reply) = ask.reply
        && ask.payload.as_ref() != instance.as_bytes()
    {
        let _ = client.publish(reply, format!("0 {instance}").into()).await;
    }
}
