import { Button, Flex, Modal, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { CodeBlock } from '../../parts/code-block';
import { CopyButton } from '../../parts/copy-button';
import { FormModal } from '../../parts/form-modal';
import styles from './api-keys.module.css';
import { KeyRules, noRules, rulesFor } from './key-rules';

interface CreateApiKeyProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly created: () => void;
}

/** Makes a key and shows it once. */
export function CreateApiKey({ opened, close, created }: CreateApiKeyProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<'full_access' | 'sending_access'>('sending_access');
  const [domainId, setDomainId] = useState<string | null>(null);
  const [rules, setRules] = useState(noRules);
  const [token, setToken] = useState<string>();
  const domains = useQuery({
    queryKey: ['domains', 'names'],
    queryFn: () => answer(api.GET('/domains', { params: { query: {} } })),
    enabled: opened,
  });
  const run = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      permission,
      ...rulesFor(permission, rules),
      ...(permission === 'sending_access' && domainId !== null ? { domain_id: domainId } : {}),
    };
    const made = await answer(api.POST('/api-keys', { body }));
    setToken(made.token);
    setName('');
    setDomainId(null);
    setRules(noRules);
    created();
  };
  const isDrafting = permission === 'full_access' && rules.only_drafts;
  return (
    <>
      <FormModal
        opened={opened}
        close={close}
        title={t('api-keys:create.title')}
        action={t('api-keys:create.button')}
        isReady={name.trim() !== ''}
        run={run}
      >
        <TextInput
          data-autofocus
          label={t('api-keys:column.name')}
          placeholder={t('api-keys:create.placeholder')}
          maxLength={50}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div>
          <SegmentedControl
            fullWidth
            aria-label={t('api-keys:create.permission')}
            value={permission}
            onChange={(value) => setPermission(value === 'full_access' ? 'full_access' : 'sending_access')}
            data={[
              { value: 'sending_access', label: t('api-keys:sending_access') },
              { value: 'full_access', label: t('api-keys:full_access') },
            ]}
          />
          <p className="quiet" style={{ marginTop: 8 }}>
            {isDrafting ? t('api-keys:rules.draftsHint') : t(`api-keys:create.${permission}`)}
          </p>
        </div>
        {permission === 'sending_access' ? (
          <Select
            label={t('api-keys:create.domain')}
            placeholder={t('api-keys:create.anyDomain')}
            data={(domains.data?.data ?? []).map((domain) => ({ value: domain.id, label: domain.name }))}
            value={domainId}
            onChange={setDomainId}
            clearable
          />
        ) : null}
        <KeyRules permission={permission} rules={rules} change={setRules} />
      </FormModal>
      <Modal
        opened={token !== undefined}
        onClose={() => setToken(undefined)}
        title={t('api-keys:made.title')}
        size={520}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <Stack gap={16}>
          <p className={styles.once}>{t('api-keys:made.once')}</p>
          <div className={styles.token}>
            <code>{token}</code>
            <CopyButton value={token ?? ''} label={t('api-keys:made.copy')} />
          </div>
          <p className={styles.once}>{t('api-keys:made.try')}</p>
          <CodeBlock
            code={`curl ${location.origin}/domains \\\n  -H 'Authorization: Bearer ${token ?? ''}'`}
            label="curl"
          />
          <Flex gap={8} justify="flex-end">
            <Button onClick={() => setToken(undefined)}>{t('api-keys:made.done')}</Button>
          </Flex>
        </Stack>
      </Modal>
    </>
  );
}
