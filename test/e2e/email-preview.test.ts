import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startProgram, TestProgram, testSender } from '../support/programs/program.js';
import { addSecondTeam } from '../support/programs/second-team.js';

let program: TestProgram;
let id: string;

beforeAll(async () => {
  program = await startProgram();
  const { data } = await program.resend.emails.send({
    from: testSender,
    to: 'ada@sink.test',
    subject: 'Preview',
    html: '<script>alert(1)</script><h1>Hello</h1><img src="cid:logo"><img src="https://elsewhere.test/a.png">',
    attachments: [{ filename: 'logo.png', content: Buffer.from('pixels').toString('base64'), contentId: 'logo' }],
  });
  id = data?.id as string;
});

afterAll(() => program.stop());

const linkOf = async (emailId: string): Promise<string> => {
  const response = await program.request(`/emails/${emailId}/preview`);
  return ((await response.json()) as { url: string }).url;
};

it('the document lets nothing run and loads nothing from elsewhere', async () => {
  const response = await fetch(await linkOf(id));
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(response.status).toBe(200);
  expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
  expect(policy).toContain(`img-src data: 'self';`);
  expect(policy).toContain(`frame-ancestors 'self'`);
  expect(policy).not.toMatch(/script-src|https:/);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(await response.text()).toContain('<h1>Hello</h1>');
});

it('images from the internet are allowed where the reader asks for them, and scripts are not', async () => {
  const policy = (await fetch(`${await linkOf(id)}&images=remote`)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`img-src data: 'self' https: http:;`);
  expect(policy).not.toContain('script-src');
});

it('embedded images are links to the attachments', async () => {
  const html = await (await fetch(await linkOf(id))).text();
  const [, path = ''] = /<img src="(\/shared\/attachments\/[^"]+)"/.exec(html) ?? [];
  const image = await fetch(`${program.url}${path.replaceAll(/&(?:amp|#38);/g, '&')}`);
  expect(await image.text()).toBe('pixels');
});

it('without its signature there is no document, and no link to the email of another team', async () => {
  const url = new URL(await linkOf(id));
  url.searchParams.set('signature', 'x');
  expect((await fetch(url)).status).toBe(404);
  const { apiKey } = await addSecondTeam(program.postrider.app);
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await program.request(`/emails/${id}/preview`, { headers })).status).toBe(404);
  expect((await fetch(`${program.url}/emails/${id}/preview`)).status).toBe(401);
});

it('the source is the signed message as it is sent, for the team and for nobody else', async () => {
  const response = await program.request(`/emails/${id}/raw`);
  expect(response.headers.get('content-type')).toBe('message/rfc822');
  const source = await response.text();
  expect(source).toMatch(/^DKIM-Signature: v=1;/);
  expect(source).toContain('\r\nSubject: Preview\r\n');
  expect(source).toContain('multipart/');
  expect((await program.request(`/emails/${id}/raw?recipient=ada@sink.test`)).status).toBe(200);
  expect((await program.request(`/emails/${id}/raw?recipient=someone@else.test`)).status).toBe(404);
  const { apiKey } = await addSecondTeam(program.postrider.app);
  expect((await program.request(`/emails/${id}/raw`, { headers: { authorization: `Bearer ${apiKey}` } })).status).toBe(
    404,
  );
  expect((await fetch(`${program.url}/emails/${id}/raw`)).status).toBe(401);
});

it('each recipient has a source, also where the text about them is theirs alone', async () => {
  const { data } = await program.resend.emails.send({
    from: testSender,
    to: ['ada@sink.test', 'grace@sink.test'],
    subject: 'Two',
    text: 'Hello',
  });
  const source = await (await program.request(`/emails/${data?.id}/raw?recipient=grace@sink.test`)).text();
  expect(source).toContain('Hello');
});
