import { SmtpSink } from '../support/servers/smtp-sink.js';

/** The receiving server of the benchmark, in a separate process. It reports the number of messages to the parent. */
const sink = await SmtpSink.listen();
const tell = (): void => void process.send?.({ port: sink.port, count: sink.count });
tell();
setInterval(tell, 20);
process.on('message', () => sink.reset());
process.on('disconnect', () => process.exit(0));
