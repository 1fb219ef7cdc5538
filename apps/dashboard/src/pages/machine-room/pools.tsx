import { Box, Button, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Plus, TriangleAlert, X } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Confirm } from '../../parts/confirm';
import { Panel } from '../../parts/panel';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { PoolForm } from './pool-forms';
import { UseForm } from './pool-use-form';
import { MoreRows, usePools, useUses, type Pool, type PoolUse } from './sending-queries';
import styles from './machine-room.module.css';

type Asked =
  | { readonly kind: 'edit'; readonly pool?: Pool }
  | { readonly kind: 'use' | 'remove'; readonly pool: Pool }
  | { readonly kind: 'release'; readonly pool: Pool; readonly use: PoolUse };

/** Pools of addresses, and which mail leaves from them. */
export function Pools() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const pools = usePools();
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const changed = (): Promise<void> => client.invalidateQueries({ queryKey: ['machine-room', 'sending'] });
  return (
    <Panel
      title={t('machine-room:pools.title')}
      text={t('machine-room:pools.text')}
      aside={
        <Button
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setAsked({ kind: 'edit' })}
        >
          {t('machine-room:pools.add')}
        </Button>
      }
      flush
    >
      {pools.rows.length === 0 ? (
        <Box component="p" p={16} c="var(--text-3)">
          {t('machine-room:pools.empty')}
        </Box>
      ) : (
        <Table<Pool>
          label={t('machine-room:pools.title')}
          rows={pools.rows}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', label: t('machine-room:pools.name'), cell: ({ name }) => name },
            { id: 'addresses', label: t('machine-room:addresses.title'), cell: (pool) => <Members pool={pool} /> },
            {
              id: 'uses',
              label: t('machine-room:pools.uses'),
              cell: (pool) => <Uses pool={pool} release={(use) => setAsked({ kind: 'release', pool, use })} />,
            },
            {
              id: 'actions',
              label: '',
              align: 'end',
              cell: (pool) => (
                <span className={styles.buttons}>
                  {(['use', 'edit', 'remove'] as const).map((kind) => (
                    <Button key={kind} variant="default" h={28} onClick={() => setAsked({ kind, pool })}>
                      {t(`machine-room:pools.${kind}`)}
                    </Button>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
      <MoreRows rows={pools} />
      {asked?.kind === 'edit' ? <PoolForm pool={asked.pool} close={close} saved={changed} /> : null}
      {asked?.kind === 'use' ? <UseForm pool={asked.pool} close={close} saved={changed} /> : null}
      <Confirm
        opened={asked?.kind === 'remove' || asked?.kind === 'release'}
        close={close}
        title={
          asked?.kind === 'release'
            ? t('machine-room:pools.releaseTitle', { user: userOf(asked.use, t), pool: asked.pool.name })
            : t('machine-room:pools.removeTitle', { pool: asked?.pool?.name })
        }
        action={t(`machine-room:pools.${asked?.kind === 'release' ? 'release' : 'remove'}`)}
        dangerous
        run={async () => {
          const id = asked?.pool?.id ?? '';
          await (asked?.kind === 'release'
            ? answer(
                api.DELETE('/machine-room/pools/{id}/uses/{useId}', {
                  params: { path: { id, useId: asked.use.id } },
                }),
              )
            : answer(api.DELETE('/machine-room/pools/{id}', { params: { path: { id } } })));
          await changed();
        }}
      >
        {t(`machine-room:pools.${asked?.kind === 'release' ? 'releaseText' : 'removeText'}`)}
      </Confirm>
    </Panel>
  );
}

function userOf({ domain, team, broadcasts, tag }: PoolUse, t: TFunction): string {
  const user = domain ?? team;
  if (broadcasts) return t('machine-room:pools.ofBroadcasts', { user });
  if (tag === null) return user;
  return t('machine-room:pools.ofTag', { user, tag: tag.value === null ? tag.name : `${tag.name}=${tag.value}` });
}

function Members({ pool: { addresses } }: { readonly pool: Pool }) {
  const { t } = useTranslation();
  if (!addresses.some(({ state }) => state === 'active')) {
    return <StatusBadge tone="wait" icon={TriangleAlert} label={t('machine-room:pools.waits')} plain />;
  }
  const isWeighted = addresses.some(({ weight }) => weight !== addresses[0]?.weight);
  return (
    <ul className={styles.names}>
      {addresses.map(({ id, address, state, weight }) => (
        <li key={id} className={state === 'active' ? 'mono' : 'mono quiet'}>
          {address}
          {isWeighted ? <span className="quiet"> ×{weight}</span> : null}
          {state === 'active' ? '' : ` (${t(`machine-room:addresses.is.${state}`)})`}
        </li>
      ))}
    </ul>
  );
}

function Uses({ pool, release }: { readonly pool: Pool; readonly release: (use: PoolUse) => void }) {
  const { t } = useTranslation();
  const { rows, more } = useUses(pool.id);
  if (rows.length === 0) return <span className="quiet">{t('machine-room:pools.unused')}</span>;
  return (
    <ul className={styles.names}>
      {rows.map((use) => (
        <li key={use.id}>
          {userOf(use, t)}
          {use.domain === null ? <span className="quiet"> {t('machine-room:pools.team')}</span> : null}
          <UnstyledButton
            className={styles.release}
            aria-label={t('machine-room:pools.releaseTitle', { user: userOf(use, t), pool: pool.name })}
            onClick={() => release(use)}
          >
            <X size={12} aria-hidden />
          </UnstyledButton>
        </li>
      ))}
      {more === undefined ? null : (
        <li>
          <UnstyledButton className="quiet" onClick={more}>
            {t('machine-room:more')}
          </UnstyledButton>
        </li>
      )}
    </ul>
  );
}
