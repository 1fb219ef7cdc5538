import { Statement } from '#platform/database';
import { DkimKeyInfo, DkimKeyState, NewSigningKey } from '../../domain/domain.js';
import { DkimKeyRow } from './dkim-key.row.js';

export function insertKeyStatement(key: NewSigningKey, sealedPrivateKey: Buffer): Statement {
  return {
    text: `INSERT INTO dkim_keys
             (id, domain_id, selector, algorithm, public_key, sealed_private_key, signing, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      key.id,
      key.domainId,
      key.selector,
      key.algorithm,
      key.publicKey,
      sealedPrivateKey,
      key.signing,
      key.createdAt,
    ],
  };
}

export function keyStateStatement(key: DkimKeyInfo): Statement {
  return {
    text: 'UPDATE dkim_keys SET signing = $2, retired_at = $3 WHERE id = $1',
    values: [key.id, key.state === 'signing', key.retiredAt],
  };
}

export function keyInfo(row: DkimKeyRow): DkimKeyInfo {
  const { id, domainId, selector, algorithm, publicKey, retiredAt, createdAt } = row;
  return { id, domainId, selector, algorithm, publicKey, state: stateOf(row), retiredAt, createdAt };
}

function stateOf({ signing, retiredAt }: DkimKeyRow): DkimKeyState {
  if (signing) return 'signing';
  return retiredAt === null ? 'published' : 'retired';
}
