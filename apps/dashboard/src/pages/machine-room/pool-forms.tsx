import { Checkbox, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import { MoreRows, useAddresses, type Pool } from './sending-queries';
import styles from './machine-room.module.css';

interface PoolFormProps {
  readonly pool?: Pool;
  readonly close: () => void;
  readonly saved: () => Promise<void>;
}

/** A new pool, or another name or other addresses of one. */
export function PoolForm({ pool, close, saved }: PoolFormProps) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  const [name, setName] = useState(pool?.name ?? '');
  const [weights, setWeights] = useState<Readonly<Record<string, number>>>(
    Object.fromEntries((pool?.addresses ?? []).map(({ id, weight }) => [id, weight])),
  );
  const choose = (id: string, isOn: boolean): void => {
    const { [id]: weight = 1, ...others } = weights;
    setWeights(isOn ? { ...others, [id]: weight } : others);
  };
  const save = async (): Promise<void> => {
    const body = { name, addresses: Object.entries(weights).map(([id, weight]) => ({ id, weight })) };
    if (pool === undefined) await answer(api.POST('/machine-room/pools', { body }));
    else await answer(api.PATCH('/machine-room/pools/{id}', { params: { path: { id: pool.id } }, body }));
    await saved();
  };
  return (
    <FormModal
      opened
      close={close}
      title={pool === undefined ? t('machine-room:pools.add') : t('machine-room:pools.editTitle', { pool: pool.name })}
      action={t(pool === undefined ? 'machine-room:pools.add' : 'machine-room:pools.save')}
      isReady={name !== ''}
      run={save}
    >
      <TextInput
        data-autofocus
        label={t('machine-room:pools.name')}
        description={t('machine-room:pools.nameText')}
        placeholder="acme"
        value={name}
        onChange={(event) => setName(event.currentTarget.value.trim().toLowerCase())}
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset className={styles.choices}>
        <legend>{t('machine-room:addresses.title')}</legend>
        {addresses.rows.length === 0 ? <p className="quiet">{t('machine-room:addresses.empty')}</p> : null}
        {addresses.rows.map(({ id, address, helo_name: host }) => (
          <div key={id} className={styles.choice}>
            <Checkbox
              label={
                <>
                  <span className="mono">{address}</span> <span className="quiet">{host}</span>
                </>
              }
              checked={weights[id] !== undefined}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
            {weights[id] === undefined ? null : (
              <NumberInput
                aria-label={t('machine-room:pools.weight', { address })}
                title={t('machine-room:pools.weight', { address })}
                className={styles.weight}
                min={1}
                max={100}
                clampBehavior="strict"
                allowDecimal={false}
                value={weights[id]}
                onChange={(value) => setWeights({ ...weights, [id]: Number(value) || 1 })}
              />
            )}
          </div>
        ))}
        <MoreRows rows={addresses} />
      </fieldset>
    </FormModal>
  );
}

/** Lets a domain or a team send from the pool. */
export function UseForm({ pool, close, saved }: PoolFormProps & { readonly pool: Pool }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState('domain');
  const [domain, setDomain] = useState('');
  const [teamId, setTeamId] = useState<string | null>(null);
  const teams = useQuery({
    queryKey: ['operator', 'teams'],
    queryFn: () => answer(api.GET('/operator/teams', { params: { query: { limit: 100 } } })),
  });
  const isOfDomain = kind === 'domain';
  return (
    <FormModal
      opened
      close={close}
      title={t('machine-room:pools.useTitle', { pool: pool.name })}
      action={t('machine-room:pools.use')}
      isReady={isOfDomain ? domain !== '' : teamId !== null}
      run={async () => {
        const body = isOfDomain ? { domain } : { team_id: teamId ?? '' };
        await answer(api.POST('/machine-room/pools/{id}/uses', { params: { path: { id: pool.id } }, body }));
        await saved();
      }}
    >
      <SegmentedControl
        aria-label={t('machine-room:pools.user')}
        value={kind}
        onChange={setKind}
        data={[
          { value: 'domain', label: t('machine-room:pools.oneDomain') },
          { value: 'team', label: t('machine-room:pools.wholeTeam') },
        ]}
      />
      {isOfDomain ? (
        <TextInput
          data-autofocus
          label={t('machine-room:pools.domain')}
          description={t('machine-room:pools.domainText')}
          placeholder="acme.com"
          value={domain}
          onChange={(event) => setDomain(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <Select
          label={t('machine-room:pools.teamName')}
          description={t('machine-room:pools.teamText')}
          searchable
          data={(teams.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={teamId}
          onChange={setTeamId}
        />
      )}
    </FormModal>
  );
}
