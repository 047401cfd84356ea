//! Connections: accepts them, limits them, and ends them gracefully.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::Limits;

/// The maximum length of the head of a request, in bytes.
const HEAD: usize = 16 << 10;

/// The pause after the system fails to accept a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until the process receives a signal to stop, and waits for the requests that have begun.
pub(crate) async fn accept(listener: TcpListener, router: Router, limits: &Limits) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(limits.connections.clamp(1, Semaphore::MAX_PERMITS)));
    let graceful = GracefulShutdown::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.reading).max_buf_size(HEAD);
    let mut stopped = std::pin::pin!(stopped());
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            // The signal handler must be there before the first request is.
            biased;
            () = &mut stopped => break,
            next = next => next,
        };
        let Ok((stream, _)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.reading));
        let service = TowerToHyperService::new(router.clone());
        let connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that disconnects is not an error of the service.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = timeout(limits.reading + limits.time, graceful.shutdown()).await;
    Ok(())
}

/// Waits for a signal to stop.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {},
                _ = terminated.recv() => {},
            }
            return;
        }
    }
    let _ = interrupted.await;
}
