//! `roadlaw-example-server TABLE --key PEM [--keep FILE] [--epoch N] [--listen ADDRESS] [--poll MS]`, or
//! `--unsigned` for `--key PEM` and what follows from it;
//! `roadlaw-example-server load ADDRESS FACTS SECONDS CONNECTIONS` measures one that runs.

use ed25519_dalek::VerifyingKey;
use ed25519_dalek::pkcs8::DecodePublicKey;
use roadlaw_example_server::live::{Live, Source};
use roadlaw_example_server::policy::Trust;
use roadlaw_example_server::{load, serve};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

const USAGE: &str =
    "usage: roadlaw-example-server TABLE (--key PEM [--keep FILE] [--epoch N] | --unsigned) [--listen ADDRESS] [--poll MS]
       roadlaw-example-server load ADDRESS FACTS SECONDS CONNECTIONS";

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ended = match arguments.split_first() {
        Some((first, rest)) if first == "load" => measure(rest).await,
        _ => run(&arguments).await,
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

async fn run(arguments: &[String]) -> Result<(), Failure> {
    let (mut table, mut trust, mut keep, mut least, mut listen, mut poll) =
        (None, None, None, 0, "127.0.0.1:8080", 250);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} wants a value\n{USAGE}"));
        match argument.as_str() {
            "--key" => {
                let pem = std::fs::read_to_string(value()?)?;
                trust = Some(Trust::Key(VerifyingKey::from_public_key_pem(&pem)?.to_bytes()));
            }
            "--unsigned" => trust = Some(Trust::Anybody),
            "--keep" => keep = Some(PathBuf::from(value()?)),
            "--epoch" => least = value()?.parse()?,
            "--listen" => listen = value()?,
            "--poll" => poll = value()?.parse::<u64>()?.max(1),
            _ if argument.starts_with('-') || table.is_some() => return Err(USAGE.into()),
            path => table = Some(path.into()),
        }
    }
    let (Some(table), Some(trust)) = (table, trust) else { return Err(USAGE.into()) };
    if matches!(trust, Trust::Anybody) && (keep.is_some() || least > 0) {
        return Err(format!("what nobody signed has no epoch: --keep and --epoch go with --key\n{USAGE}").into());
    }
    let live = Live::open(Source { table, trust, least, keep, poll: Duration::from_millis(poll) }).await?;
    let now = live.now();
    let listener = TcpListener::bind(listen).await?;
    println!("{} {} at http://{}", now.policy.name, now.policy.digest(), listener.local_addr()?);
    let stop = async {
        // Without a signal to wait for, the server ends with its process.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    serve(listener, Arc::new(live), stop).await?;
    Ok(())
}

async fn measure(arguments: &[String]) -> Result<(), Failure> {
    let [address, facts, seconds, connections] = arguments else { return Err(USAGE.into()) };
    let body = std::fs::read_to_string(facts)?;
    let lasts = Duration::from_secs(seconds.parse()?);
    let figures = load::ask(address.parse()?, &body, connections.parse()?, lasts).await?;
    let [half, most, nearly] = [500, 990, 999].map(|t| figures.within(t).as_micros());
    println!("| connections | answers | per second | half within | 99 % within | 99.9 % within |");
    println!("|---|---|---|---|---|---|");
    let (n, rate) = (figures.times.len(), figures.rate());
    println!("| {connections} | {n} | {rate} | {half} us | {most} us | {nearly} us |");
    for ((status, body), n) in &figures.answers {
        println!("{n} times {status} {body}");
    }
    Ok(())
}
