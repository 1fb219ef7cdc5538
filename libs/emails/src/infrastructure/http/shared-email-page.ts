import { Readable } from 'node:stream';
import { escapedHtml } from '#kernel';
import { textPieces, timestamp } from '#http/server';
import type { ReadableText } from '../../application/ports/email-contents.port.js';
import { ReadableEmail } from '../../application/read-emails.query.js';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#f4f4f5;color:#18181b}
main{max-width:52rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.3rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;color:#3f3f46}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:75vh;border:1px solid #d4d4d8;border-radius:6px;background:#fff}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#fff;border:1px solid #d4d4d8;border-radius:6px;padding:1rem}`;

/** The page of a shared email, produced piece by piece. Blind-copy recipients are not shown. */
export function sharedEmailPage(email: ReadableEmail): Readable {
  return Readable.from(pagePieces(email), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* pagePieces({ email, body }: ReadableEmail): AsyncGenerator<string> {
  const rows: [string, string][] = [
    ['From', email.from],
    ['To', email.to.join(', ')],
    ...(email.cc === null ? [] : [['Cc', email.cc.join(', ')] as [string, string]]),
    ['Date', timestamp(email.createdAt)],
  ];
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapedHtml(email.subject)}</title><style>${style}</style></head>
<body><main><h1>${escapedHtml(email.subject)}</h1>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapedHtml(value)}</dd>`).join('')}</dl>
`;
  if (body.html === null) {
    yield '<pre>';
    yield* escapedPieces(body.unreadable ?? body.text ?? '');
    yield '</pre>';
  } else {
    yield '<iframe sandbox title="Email" srcdoc="';
    yield* escapedPieces(body.html);
    yield '"></iframe>';
  }
  yield '</main></body></html>';
}

async function* escapedPieces(text: ReadableText): AsyncGenerator<string> {
  if (typeof text === 'string') yield escapedHtml(text);
  else for await (const piece of textPieces(text)) yield escapedHtml(piece);
}
