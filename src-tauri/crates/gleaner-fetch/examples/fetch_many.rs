//! Fetches every URL of a file concurrently, twice: unconditionally, then with the validators received.
//! Prints the time and the amount of data. Run it under `time` for the CPU time.
//!
//! cargo run --release -p gleaner-fetch --example fetch_many -- urls.txt [concurrency]

use gleaner_fetch::{Fetcher, Limits, Request, Validators};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("a file with addresses is missing")?;
    let side_by_side: usize = arguments.next().map_or(Ok(64), |text| text.parse())?;
    let text = std::fs::read_to_string(file)?;
    let mut requests: Vec<Request> =
        text.lines().map(|line| Ok(Request::new(line.trim().parse()?))).collect::<Result<_, url::ParseError>>()?;
    let fetcher = Fetcher::new(Limits::default())?;
    for round in ["first", "again"] {
        let start = Instant::now();
        let permits = Arc::new(Semaphore::new(side_by_side));
        let mut tasks = JoinSet::new();
        for request in requests.drain(..) {
            let (fetcher, permits) = (fetcher.clone(), Arc::clone(&permits));
            tasks.spawn(async move {
                let _permit = permits.acquire_owned().await;
                (fetcher.fetch(request.clone()).await, request)
            });
        }
        let (mut good, mut same, mut failed, mut bytes, mut wire) = (0, 0, 0, 0, 0);
        while let Some(done) = tasks.join_next().await {
            let (result, request) = done?;
            let validators = match result {
                Ok(response) => {
                    good += u32::from(response.status == 200);
                    same += u32::from(response.status == 304);
                    bytes += response.body.map_or(0, |body| body.len());
                    wire += response.wire_bytes;
                    response.validators
                }
                Err(error) => {
                    failed += 1;
                    eprintln!("{}: {error}", error.url);
                    Validators::default()
                }
            };
            requests.push(request.validators(validators));
        }
        println!(
            "{round}: {good} new, {same} not modified, {failed} failed, {wire} bytes over the wire, {bytes} decoded, {:.3} s",
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
