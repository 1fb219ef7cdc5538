import { UnindexedRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/** Of each message as much is searched as has its header and the beginning of its text. */
const searchedBytes = 64 * 1024;

/** The messages of the sandbox that name an address. They are copies for people who test, so they are deleted. */
@Injectable()
export class SandboxData extends UnindexedRows {
  readonly name = 'sandbox';

  protected readonly portion = `
    SELECT id, received_at, "from", recipients, subject, raw FROM sandbox_messages
    WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

  protected readonly names = `
    concat_ws(' ', "from", array_to_string(recipients, ' '), subject, encode(substring(raw for ${searchedBytes}), 'escape')) ~ $4`;

  protected readonly record = `
    json_build_object('id', id, 'received_at', received_at, 'from', "from", 'to', recipients, 'subject', subject)`;

  protected readonly clear = `
    DELETE FROM sandbox_messages WHERE team_id = $1 AND id = ANY ($2::uuid[]) AND $3 <> ''`;
}
