import { Stack, Textarea, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkSignature, type SignatureFinding } from '../../logic/webhook-signature';
import { CircleCheck, CircleX } from 'lucide-react';
import { StatusBadge } from '../../parts/status-badge';

/** Checks a signature in the browser: the secret is sent nowhere. */
export function SignatureChecker({ secret: known = '' }: { readonly secret?: string }) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState(known);
  const [id, setId] = useState('');
  const [timestamp, setTimestamp] = useState('');
  const [signature, setSignature] = useState('');
  const [body, setBody] = useState('');
  const [finding, setFinding] = useState<SignatureFinding>();
  const isWhole = [secret, id, timestamp, signature, body].every((text) => text !== '');
  useEffect(() => {
    if (!isWhole) return setFinding(undefined);
    let isCurrent = true;
    void checkSignature({ secret, id, timestamp, signature, body }, Date.now()).then((found) => {
      if (isCurrent) setFinding(found);
    });
    return () => void (isCurrent = false);
  }, [isWhole, secret, id, timestamp, signature, body]);
  const field = (label: string, value: string, set: (text: string) => void, placeholder: string) => (
    <TextInput
      label={label}
      value={value}
      placeholder={placeholder}
      onChange={(event) => set(event.currentTarget.value.trim())}
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <Stack gap={12}>
      <p className="quiet">{t('webhooks:check.text')}</p>
      {field(t('webhooks:check.secret'), secret, setSecret, 'whsec_…')}
      {field('svix-id', id, setId, 'msg_…')}
      {field('svix-timestamp', timestamp, setTimestamp, '1763850000')}
      {field('svix-signature', signature, setSignature, 'v1,…')}
      <Textarea
        label={t('webhooks:check.body')}
        minRows={4}
        maxRows={10}
        autosize
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        spellCheck={false}
      />
      <div role="status">
        {finding === undefined ? null : (
          <>
            <StatusBadge
              tone={finding === 'valid' ? 'good' : 'bad'}
              icon={finding === 'valid' ? CircleCheck : CircleX}
              label={t(`webhooks:check.finding.${finding}.title`)}
            />
            <p className="quiet" style={{ marginTop: 6 }}>
              {t(`webhooks:check.finding.${finding}.text`)}
            </p>
          </>
        )}
      </div>
    </Stack>
  );
}
