import {
  Deleted,
  Flag,
  Id,
  IdOrNull,
  Moment,
  MomentOrNull,
  OneOf,
  ReferenceTo,
  Shape,
  Text,
  TextsOrNull,
  WholeOrNull,
} from '#http/openapi';
import { keyId } from './example-ids.js';

@Shape('A new API key.')
export class CreatedApiKeyResponse {
  @Id('Id of the API key.', keyId) id!: string;
  /** The token in clear, shown only in this response. */
  @Text('Send it as `Authorization: Bearer <token>`. Shown only here.', 're_Ab3dEf6h_J8kLm0pQ2rSt4vWx6yZaBcDe')
  token!: string;
}

@Shape('An API key without its token.')
export class ApiKeySummaryResponse {
  @Id('Id of the API key.', keyId) id!: string;
  @Text('A name that people recognize.', 'Shop in production') name!: string;
  @Moment('When it was created.', '2026-11-28 09:12:44.08+00') created_at!: string;
  @MomentOrNull('When it was last used; null if never.', '2026-11-30 20:39:59.54+00') last_used_at!: string | null;
  @IdOrNull('The grant of the tool that made the key, which ends with it; null where no tool made it.')
  oauth_grant_id!: string | null;
  @OneOf(['full_access', 'sending_access'], 'What it may do.', 'sending_access') permission!: string;
  @TextsOrNull('Addresses and networks from which it is accepted; null: from everywhere.', ['192.0.2.0/24'])
  allowed_ips!: readonly string[] | null;
  @TextsOrNull('Domains to whose addresses it may send; null: to all.', null)
  allowed_recipient_domains!: readonly string[] | null;
  @WholeOrNull('Recipients to whom it may send in a day (UTC); null: as many as the team may.', 200)
  daily_limit!: number | null;
  @Flag('Whether it only reads and writes drafts, which a person sends.', false) only_drafts!: boolean;
}

@Shape('The API key that was changed.')
export class UpdatedApiKeyResponse extends ReferenceTo('api_key', 'Id of the API key.', keyId) {}

@Shape('The API key that was deleted.')
export class DeletedApiKeyResponse extends Deleted(UpdatedApiKeyResponse) {}
