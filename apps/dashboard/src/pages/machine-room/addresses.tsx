import { Box, Button, Flex, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CirclePause, CircleSlash, HelpCircle, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Confirm } from '../../parts/confirm';
import { FormModal } from '../../parts/form-modal';
import { Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { MoreRows, useAddresses, type Address } from './sending-queries';
import styles from './machine-room.module.css';

const states = {
  active: { tone: 'good', icon: CircleCheck },
  draining: { tone: 'wait', icon: CirclePause },
  off: { tone: 'flat', icon: CircleSlash },
} as const;
const filters = {
  green: { tone: 'good', icon: CircleCheck },
  yellow: { tone: 'wait', icon: TriangleAlert },
  red: { tone: 'bad', icon: TriangleAlert },
} as const;
const verdicts = {
  confirmed: { tone: 'good', icon: CircleCheck },
  mismatch: { tone: 'bad', icon: TriangleAlert },
  missing: { tone: 'bad', icon: TriangleAlert },
  unknown: { tone: 'flat', icon: HelpCircle },
} as const;

/** The addresses that mail leaves from, with what receivers look at. */
export function Addresses() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const addresses = useAddresses();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Address>();
  const changed = (): Promise<void> => client.invalidateQueries({ queryKey: ['machine-room', 'sending'] });
  const change = useMutation({
    mutationFn: ({ id, state }: Pick<Address, 'id' | 'state'>) =>
      answer(api.PATCH('/machine-room/addresses/{id}', { params: { path: { id } }, body: { state } })),
    onSuccess: ({ address, state }) => {
      say(t(`machine-room:addresses.became.${state}`, { address }));
      void changed();
    },
    onError: sayError,
  });
  return (
    <Panel
      title={t('machine-room:addresses.title')}
      text={t('machine-room:addresses.text')}
      aside={
        <Button variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
          {t('machine-room:addresses.add')}
        </Button>
      }
      flush
    >
      {addresses.rows.length === 0 ? (
        <Box component="p" p={16} c="var(--text-3)">
          {t('machine-room:addresses.empty')}
        </Box>
      ) : (
        <Table<Address>
          label={t('machine-room:addresses.title')}
          rows={addresses.rows}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'address',
              label: t('machine-room:addresses.address'),
              cell: ({ address, helo_name: name }) => (
                <Flex component="span" direction="column" w={210}>
                  <span className="mono cut" title={address}>
                    {address}
                  </span>
                  <span className="quiet cut" title={name}>
                    {name}
                  </span>
                </Flex>
              ),
            },
            {
              id: 'state',
              label: t('machine-room:addresses.state'),
              cell: ({ state }) => <StatusBadge {...states[state]} label={t(`machine-room:addresses.is.${state}`)} />,
            },
            {
              id: 'name',
              label: t('machine-room:addresses.reverse'),
              cell: ({ reverse_name: { verdict, names } }) => (
                <span className={styles.region}>
                  <StatusBadge {...verdicts[verdict]} label={t(`machine-room:addresses.verdict.${verdict}`)} plain />
                  {names.length === 0 ? null : <span className="quiet">{names.join(', ')}</span>}
                </span>
              ),
            },
            // Nothing is said about it where Microsoft is not asked.
            ...(addresses.rows.every(({ microsoft }) => microsoft === null)
              ? []
              : [
                  {
                    id: 'microsoft',
                    label: t('machine-room:addresses.microsoft.title'),
                    cell: ({ microsoft }: Address) => <Microsoft of={microsoft} />,
                  },
                ]),
            {
              id: 'region',
              label: t('machine-room:addresses.region'),
              cell: ({ region }) => (
                <span className={region === null ? 'quiet' : styles.oneLine}>
                  {region ?? t('machine-room:addresses.everywhere')}
                </span>
              ),
            },
            { id: 'machines', label: t('machine-room:addresses.machines'), cell: (row) => <Machines address={row} /> },
            {
              id: 'actions',
              label: '',
              align: 'end',
              cell: (row) => (
                <span className={styles.buttons}>
                  <Button
                    variant="default"
                    h={28}
                    onClick={() => change.mutate({ id: row.id, state: row.state === 'active' ? 'draining' : 'active' })}
                  >
                    {t(`machine-room:addresses.${row.state === 'active' ? 'drain' : 'activate'}`)}
                  </Button>
                  <Button variant="default" h={28} onClick={() => setRemoving(row)}>
                    {t('machine-room:addresses.remove')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      <MoreRows rows={addresses} />
      <AddAddress opened={adding} close={() => setAdding(false)} added={changed} />
      <Confirm
        opened={removing !== undefined}
        close={() => setRemoving(undefined)}
        title={t('machine-room:addresses.removeTitle', { address: removing?.address })}
        action={t('machine-room:addresses.remove')}
        dangerous
        run={async () => {
          const path = { id: removing?.id ?? '' };
          await answer(api.DELETE('/machine-room/addresses/{id}', { params: { path } }));
          await changed();
        }}
      >
        {t('machine-room:addresses.removeText')}
      </Confirm>
    </Panel>
  );
}

/** What Microsoft says about the mail of the address. */
function Microsoft({ of }: { readonly of: Address['microsoft'] }) {
  const { t, i18n } = useTranslation();
  if (of === null) return <span className="quiet">–</span>;
  const { blocked, reason, filter, day, complaint_rate: complaints, trap_hits: traps } = of;
  const date = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const facts = [
    blocked ? reason : null,
    day === null ? null : date.format(new Date(`${day}T00:00:00Z`)),
    complaints === null ? null : t('machine-room:addresses.microsoft.complaints', { share: complaints }),
    traps === null || traps === 0 ? null : t('machine-room:addresses.microsoft.traps', { count: traps }),
  ].filter((fact) => fact !== null);
  return (
    <span className={styles.said}>
      {blocked ? (
        <StatusBadge tone="bad" icon={CircleSlash} label={t('machine-room:addresses.microsoft.blocked')} plain />
      ) : filter === null ? null : (
        <StatusBadge {...filters[filter]} label={t(`machine-room:addresses.microsoft.${filter}`)} plain />
      )}
      <span className="quiet">{facts.join(' · ')}</span>
    </span>
  );
}

/** Which machines have it. An address that none has sends nothing. */
function Machines({ address: { machines, state } }: { readonly address: Address }) {
  const { t } = useTranslation();
  if (state === 'off') return <span className="quiet">–</span>;
  const able = machines.filter((machine) => machine.can_send).map(({ name }) => name);
  if (able.length > 0) return able.join(', ');
  return (
    <StatusBadge
      tone={machines.length === 0 ? 'flat' : 'bad'}
      icon={machines.length === 0 ? HelpCircle : TriangleAlert}
      label={t(`machine-room:addresses.${machines.length === 0 ? 'notSeen' : 'nowhere'}`)}
      plain
    />
  );
}

interface AddAddressProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly added: () => Promise<void>;
}

function AddAddress({ opened, close, added }: AddAddressProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState({ address: '', helo_name: '', region: '' });
  const field = (name: keyof typeof values, placeholder: string) => ({
    label: t(`machine-room:addresses.form.${name}`),
    placeholder,
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setValues({ ...values, [name]: event.target.value.trim() }),
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('machine-room:addresses.add')}
      action={t('machine-room:addresses.add')}
      isReady={values.address !== '' && values.helo_name !== ''}
      run={async () => {
        await answer(api.POST('/machine-room/addresses', { body: values }));
        setValues({ address: '', helo_name: '', region: '' });
        await added();
      }}
    >
      <TextInput
        data-autofocus
        {...field('address', '192.0.2.10')}
        description={t('machine-room:addresses.form.addressText')}
      />
      <TextInput
        {...field('helo_name', 'out1.mail.example')}
        description={t('machine-room:addresses.form.helo_nameText')}
      />
      <TextInput {...field('region', 'eu-west-1')} description={t('machine-room:addresses.form.regionText')} />
    </FormModal>
  );
}
