import { Notice } from '#kernel';
import { Database } from '#postgres/database';
import { until } from '../runner/until.js';
import type { TestProgram } from '../programs/program.js';

/** The mail of the service to a person, as it stands in the outbox: newest last. */
export async function mailTo({ postrider }: TestProgram, address: string): Promise<readonly Notice[]> {
  return postrider.app.get(Database).query<Notice & Record<string, unknown>>({
    text: 'SELECT key, subject, text FROM notices WHERE recipient = $1 ORDER BY created_at',
    values: [address],
  });
}

/** The link in the mail with this subject, as soon as it is there. */
export async function linkTo(program: TestProgram, address: string, subject: RegExp): Promise<URL> {
  let link: string | undefined;
  await until(async () => {
    const mail = (await mailTo(program, address)).filter((notice) => subject.test(notice.subject)).at(-1);
    link = /https?:\S+/.exec(mail?.text ?? '')?.[0];
    return link !== undefined;
  });
  return new URL(link ?? '');
}
