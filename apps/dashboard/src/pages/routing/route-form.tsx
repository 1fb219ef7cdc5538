import { ActionIcon, Button, Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import styles from './routing.module.css';

export type Route = Schema<'RouteSummaryResponse'>;
type Action = Route['action'];
type Condition = Route['conditions'][number];

const actionTypes: readonly Action['type'][] = ['webhook', 'forward', 'smtp', 'lmtp', 'reject', 'drop'];
const tests: readonly Condition['test'][] = ['contains', 'equals', 'starts_with', 'ends_with', 'exists'];
const tellings = tests.flatMap((test) => [test, `not_${test}`]);

interface RouteFormProps {
  readonly known: Route | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

export function RouteForm({ known, close, saved }: RouteFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(known?.name ?? '');
  const [recipient, setRecipient] = useState(known?.recipient ?? '');
  const [type, setType] = useState<Action['type']>(known?.action.type ?? 'forward');
  const [to, setTo] = useState(known?.action.to?.join(', ') ?? '');
  const [host, setHost] = useState(known?.action.host ?? '');
  const [port, setPort] = useState<number | string>(known?.action.port ?? 25);
  const [text, setText] = useState(known?.action.text ?? '');
  const [conditions, setConditions] = useState<readonly Condition[]>(known?.conditions ?? []);
  const [goesOn, setGoesOn] = useState(known?.continue ?? false);
  const isHost = type === 'smtp' || type === 'lmtp';
  const action = {
    type,
    ...(type === 'forward' ? { to: to.split(/[\s,;]+/).filter((one) => one !== '') } : {}),
    ...(isHost ? { host: host.trim(), port: Number(port) } : {}),
    ...(type === 'reject' && text.trim() !== '' ? { text: text.trim() } : {}),
  };
  const isReady =
    recipient.trim() !== '' &&
    (type !== 'forward' || to.trim() !== '') &&
    (!isHost || host.trim() !== '') &&
    conditions.every(({ header, test, value }) => header.trim() !== '' && (test === 'exists' || value !== ''));
  const run = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      recipient: recipient.trim(),
      action,
      conditions: conditions.map(({ header, test, value, not }) =>
        test === 'exists' ? { header, test, not } : { header, test, value, not },
      ),
      continue: goesOn,
    };
    if (known === undefined) await answer(api.POST('/routes', { body: body as never }));
    else await answer(api.PATCH('/routes/{id}', { params: { path: { id: known.id } }, body: body as never }));
    saved();
  };
  const put = (index: number, condition: Condition | undefined): void =>
    setConditions(
      conditions.flatMap((one, at) => (at === index ? (condition === undefined ? [] : [condition]) : [one])),
    );
  return (
    <FormModal
      opened
      close={close}
      size={620}
      title={t(known === undefined ? 'received:routes.addTitle' : 'received:routes.editTitle')}
      action={t(known === undefined ? 'received:routes.add' : 'common:save')}
      isReady={isReady}
      run={run}
    >
      <TextInput
        data-autofocus
        label={t('received:routes.recipient')}
        description={t('received:routes.recipientText')}
        placeholder="support@acme.com"
        value={recipient}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setRecipient(event.currentTarget.value)}
      />
      <TextInput
        label={t('received:routes.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {conditions.map((condition, index) => (
        <div key={index} className={styles.condition}>
          <TextInput
            aria-label={t('received:routes.header')}
            placeholder="Subject"
            value={condition.header}
            onChange={(event) => put(index, { ...condition, header: event.currentTarget.value })}
          />
          <Select
            aria-label={t('received:routes.comparison')}
            data={tellings.map((value) => ({ value, label: t(`received:routes.test.${value}`) }))}
            value={`${condition.not ? 'not_' : ''}${condition.test}`}
            allowDeselect={false}
            onChange={(value) => {
              const not = value?.startsWith('not_') === true;
              const test = (value ?? 'contains').replace(/^not_/, '') as Condition['test'];
              put(index, { ...condition, not, test });
            }}
          />
          {condition.test === 'exists' ? (
            <span />
          ) : (
            <TextInput
              aria-label={t('received:routes.value')}
              value={condition.value}
              onChange={(event) => put(index, { ...condition, value: event.currentTarget.value })}
            />
          )}
          <ActionIcon aria-label={t('received:routes.removeCondition')} onClick={() => put(index, undefined)}>
            <X size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setConditions([...conditions, { header: 'Subject', test: 'contains', value: '', not: false }])}
        >
          {t('received:routes.addCondition')}
        </Button>
      </div>
      <Select
        label={t('received:routes.action')}
        data={actionTypes.map((value) => ({ value, label: t(`received:action.${value}`) }))}
        value={type}
        allowDeselect={false}
        onChange={(value) => setType(value ?? 'forward')}
      />
      {type === 'forward' ? (
        <TextInput
          label={t('received:routes.to')}
          placeholder="ada@acme.com, grace@acme.com"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      ) : null}
      {isHost ? (
        <>
          <TextInput
            label={t('received:routes.host')}
            placeholder="mail.acme.com"
            value={host}
            onChange={(event) => setHost(event.currentTarget.value)}
          />
          <NumberInput label={t('received:routes.port')} min={1} max={65_535} value={port} onChange={setPort} />
        </>
      ) : null}
      {type === 'reject' ? (
        <TextInput
          label={t('received:routes.text')}
          value={text}
          maxLength={400}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <Checkbox
        label={t('received:routes.goOn')}
        checked={goesOn}
        onChange={(event) => setGoesOn(event.currentTarget.checked)}
      />
    </FormModal>
  );
}
