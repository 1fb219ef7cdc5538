const head = 'To: user@silent0.test\r\nSubject: Hello\r\n';
const from = 'From: someone@attacker.test\r\n';

/** Messages each of which once froze or crashed a program of this kind. Line ends are CRLF, dots are stuffed. */
export const hostileMessages: readonly string[] = [
  `${from}${head}Resend-Idempotency-Key: a\0b\r\n\r\nHi`,
  `From: ${'b,'.repeat(50_000)}\r\n${head}\r\nHi`,
  `${from}${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(20_000)}--b--`,
  `${from}${head}\r\n${'..\r\n'.repeat(100_000)}`,
  `${from}${head}${'X-Field: value\r\n'.repeat(10_000)}\r\nHi`,
];

/** HTTP requests with the same effect. */
export const hostileRequests: readonly { readonly path: string; readonly body: string }[] = [
  { path: '/emails', body: `{"junk":[${'{},'.repeat(300_000)}{}]}` },
  { path: '/emails', body: '['.repeat(100_000) },
  {
    path: '/emails',
    body: JSON.stringify({ from: `${'<'.repeat(10_000)}a@attacker.test`, to: 'user@silent0.test', text: 'Hi' }),
  },
  {
    path: '/emails/batch',
    body: JSON.stringify(
      Array.from({ length: 100 }, () => ({
        from: 'someone@attacker.test',
        to: 'user@silent0.test',
        subject: 'Hello',
        text: 'Hi',
        attachments: [{ filename: 'a.txt', path: 'http://127.0.0.1:9/a.txt' }],
      })),
    ),
  },
];
