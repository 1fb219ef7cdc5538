import { timestamp } from '#platform/http';
import { StoredEmail } from '../../application/ports/email-repository.port.js';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#f4f4f5;color:#18181b}
main{max-width:52rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.3rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;color:#3f3f46}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
iframe{width:100%;height:75vh;border:1px solid #d4d4d8;border-radius:6px;background:#fff}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#fff;border:1px solid #d4d4d8;border-radius:6px;padding:1rem}`;

/** An email as whoever has its link may read it. Blind-copy recipients are nobody's business. */
export function sharedEmailPage({ email, body }: StoredEmail): string {
  const rows: [string, string][] = [
    ['From', email.from],
    ['To', email.to.join(', ')],
    ...(email.cc === null ? [] : [['Cc', email.cc.join(', ')] as [string, string]]),
    ['Date', timestamp(email.createdAt)],
  ];
  const content =
    body.html === null
      ? `<pre>${escaped(body.text ?? '')}</pre>`
      : `<iframe sandbox title="Email" srcdoc="${escaped(body.html)}"></iframe>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(email.subject)}</title><style>${style}</style></head>
<body><main><h1>${escaped(email.subject)}</h1>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${content}</main></body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
