import { Checkbox, NumberInput, TextInput } from '@mantine/core';
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
