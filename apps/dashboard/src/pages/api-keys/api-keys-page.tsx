import { ActionIcon, Button, Flex, Menu, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, KeyRound, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useMay } from '../../api/session';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import { FormModal } from '../../parts/form-modal';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import { say } from '../../parts/say';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { CreateApiKey } from './create-api-key';
import { KeyRules, rulesFor, RulesLine, rulesOf } from './key-rules';
import styles from './api-keys.module.css';

type Key = Schema<'ApiKeySummaryResponse'>;

export function ApiKeysPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('api-keys:write');
  const adding = useAdding('api-keys:write', t('api-keys:create.button'));
  const [changing, setChanging] = useState<Key>();
  const [deleting, setDeleting] = useState<readonly Key[]>([]);
  const rows = usePages<Key>(['api-keys'], ({ limit, after, signal }) =>
    answer(api.GET('/api-keys', { params: { query: { limit, after } }, signal })),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['api-keys'] });
  const columns = useMemo(
    (): Column<Key>[] => [
      {
        id: 'name',
        label: t('api-keys:column.name'),
        width: 'minmax(180px, 3fr)',
        cell: (key) => (
          <>
            {key.name} <RulesLine apiKey={key} />
          </>
        ),
      },
      {
        id: 'used',
        label: t('api-keys:column.used'),
        width: 'minmax(120px, 1fr)',
        cell: ({ last_used_at: at }) =>
          at === null ? <span className="quiet">{t('api-keys:never')}</span> : <Time at={at} />,
      },
      {
        id: 'created',
        label: t('api-keys:column.created'),
        width: 'minmax(110px, 1fr)',
        cell: ({ created_at: at }) => <Time at={at} form="short" />,
      },
      {
        id: 'actions',
        label: t('api-keys:column.actions'),
        width: '190px',
        align: 'end',
        fixed: true,
        cell: (key) =>
          mayWrite ? (
            <span className={styles.actions}>
              <Button size="compact-xs" variant="subtle" color="gray" h={26} onClick={() => setChanging(key)}>
                {t('api-keys:change.button')}
              </Button>
              <Button size="compact-xs" variant="subtle" color="red" h={26} onClick={() => setDeleting([key])}>
                {t('api-keys:delete.button')}
              </Button>
            </span>
          ) : null,
      },
    ],
    [t, mayWrite],
  );
  const [first] = deleting;
  return (
    <Page title={t('api-keys:title')} actions={adding.button}>
      <List
        label={t('api-keys:title')}
        rows={rows}
        columns={columns}
        compact={(key) => (
          <span className={styles.compact}>
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className="cut">{key.name}</span>
              <RulesLine apiKey={key} />
              <span className="quiet cut">
                {t('api-keys:column.used')}:{' '}
                {key.last_used_at === null ? t('api-keys:never') : <Time at={key.last_used_at} />}
              </span>
            </Flex>
            {mayWrite ? (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon aria-label={t('api-keys:more', { name: key.name })} size={36}>
                    <EllipsisVertical size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setChanging(key)}>{t('api-keys:change.button')}</Menu.Item>
                  <Menu.Item color="red" onClick={() => setDeleting([key])}>
                    {t('api-keys:delete.button')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </span>
        )}
        bulk={
          mayWrite
            ? [
                {
                  id: 'delete',
                  label: t('api-keys:delete.button'),
                  icon: <Trash2 size={14} aria-hidden />,
                  dangerous: true,
                  run: (keys) => setDeleting(keys),
                },
              ]
            : []
        }
        empty={
          <EmptyState icon={KeyRound} title={t('api-keys:empty.title')} text={t('api-keys:empty.text')}>
            {adding.button}
          </EmptyState>
        }
      />
      <CreateApiKey opened={adding.opened} close={adding.close} created={changed} />
      {changing === undefined ? null : (
        <ChangeKey apiKey={changing} close={() => setChanging(undefined)} changed={changed} />
      )}
      {first === undefined ? null : (
        <Confirm
          opened
          close={() => setDeleting([])}
          title={
            deleting.length === 1
              ? t('api-keys:delete.title', { name: first.name })
              : t('api-keys:delete.titleMany', { count: deleting.length })
          }
          action={t('api-keys:delete.button')}
          typed={first.name}
          run={async () => {
            for (const { id } of deleting) await answer(api.DELETE('/api-keys/{id}', { params: { path: { id } } }));
            changed();
            say(t('api-keys:delete.done', { count: deleting.length }));
          }}
        >
          <p>{t('api-keys:delete.text')}</p>
        </Confirm>
      )}
    </Page>
  );
}

function ChangeKey(props: { readonly apiKey: Key; readonly close: () => void; readonly changed: () => void }) {
  const { t } = useTranslation();
  const { id, permission } = props.apiKey;
  const [name, setName] = useState(props.apiKey.name);
  const [rules, setRules] = useState(rulesOf(props.apiKey));
  return (
    <FormModal
      opened
      close={props.close}
      title={t('api-keys:change.title')}
      action={t('common:save')}
      isReady={name.trim() !== ''}
      run={async () => {
        const body = { name: name.trim(), ...rulesFor(permission, rules) };
        await answer(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body }));
        props.changed();
      }}
    >
      <TextInput
        data-autofocus
        label={t('api-keys:column.name')}
        value={name}
        maxLength={50}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <KeyRules permission={permission} rules={rules} change={setRules} />
    </FormModal>
  );
}
