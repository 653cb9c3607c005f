//! A client that measures: so many connections, each with one request under way at a time.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// What was measured.
#[derive(Debug, Default)]
pub struct Figures {
    /// How often each answer came, by status and body.
    pub answers: BTreeMap<(u16, String), u64>,
    /// How long each answer took.
    pub times: Vec<Duration>,
    /// How long all took together.
    pub whole: Duration,
}

impl Figures {
    /// Takes the answers of another measurement in.
    pub fn add(&mut self, other: Self) {
        for (answer, n) in other.answers {
            *self.answers.entry(answer).or_default() += n;
        }
        self.times.extend(other.times);
        self.whole += other.whole;
    }

    /// The time within which this part of the answers came, in thousandths. 0 if none came.
    pub fn within(&self, thousandths: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at = (times.len() * thousandths).div_ceil(1000).saturating_sub(1);
        times.get(at).copied().unwrap_or_default()
    }

    /// Answers per second.
    pub fn rate(&self) -> u128 {
        (self.times.len() as u128 * 1_000_000).checked_div(self.whole.as_micros()).unwrap_or(0)
    }
}

/// Asks for so long over so many connections.
///
/// # Errors
/// A connection broke, or something answered that is no HTTP.
pub async fn ask(to: SocketAddr, body: &str, connections: usize, lasts: Duration) -> std::io::Result<Figures> {
    let began = Instant::now();
    let tasks: Vec<_> = (0..connections)
        .map(|_| {
            let body = body.to_owned();
            tokio::spawn(async move { one(to, &body, began + lasts).await })
        })
        .collect();
    let mut all = Figures::default();
    for task in tasks {
        all.add(task.await.map_err(std::io::Error::other)??);
    }
    all.whole = began.elapsed();
    Ok(all)
}

async fn one(to: SocketAddr, body: &str, until: Instant) -> std::io::Result<Figures> {
    let mut stream = connect(to).await?;
    let mut figures = Figures::default();
    while Instant::now() < until {
        let began = Instant::now();
        let answer = exchange(&mut stream, "POST", "/decide", body).await?;
        figures.times.push(began.elapsed());
        *figures.answers.entry(answer).or_default() += 1;
    }
    Ok(figures)
}

/// One request on a connection of its own: status and body.
///
/// # Errors
/// The connection broke, or something answered that is no HTTP.
pub async fn once(to: SocketAddr, method: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    exchange(&mut connect(to).await?, method, path, body).await
}

async fn connect(to: SocketAddr) -> std::io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

async fn exchange(
    stream: &mut BufReader<TcpStream>,
    method: &str,
    path: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    let bad = || std::io::Error::other("the answer is no HTTP");
    let request = format!("{method} {path} HTTP/1.1\r\nhost: roads\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await?;
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let status = line.split(' ').nth(1).and_then(|s| s.parse().ok()).ok_or_else(bad)?;
    let mut length = 0;
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Err(bad());
        }
        let header = line.trim_end();
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(|_| bad())?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    String::from_utf8(body).map(|body| (status, body)).map_err(|_| bad())
}
