import { ActionIcon, Button, JsonInput, Menu, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Plus, Send, X, Zap } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { objectOfJson } from '../../logic/json-object';
import { ShortList } from '../../list/short-list';
import { usePages } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import { FormModal } from '../../parts/form-modal';
import { say } from '../../parts/say';
import { Row } from '../../parts/section';
import type { EventDefinition } from './automation-queries';
import styles from './automations.module.css';
import { EventDetail, SeenEvents } from './event-detail';
import { AutomationsFrame } from './automations-frame';

type Asked =
  | { readonly for: 'add'; readonly name?: string }
  | { readonly for: 'edit' | 'delete' | 'detail'; readonly event: EventDefinition }
  | { readonly for: 'send'; readonly event?: EventDefinition };

/** The events of the team: what their payloads are, and one sent by hand. */
export function EventsPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('automations:write');
  const [asked, setAsked] = useState<Asked>();
  const rows = usePages<EventDefinition>(['events'], ({ limit, after, signal }) =>
    answer(api.GET('/events', { params: { query: { limit, after } }, signal })),
  );
  const close = (): void => setAsked(undefined);
  const saved = (): void => void client.invalidateQueries({ queryKey: ['events'] });
  const add = (
    <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAsked({ for: 'add' })}>
      {t('automations:events.add')}
    </Button>
  );
  const send = (
    <Button variant="default" leftSection={<Send size={14} aria-hidden />} onClick={() => setAsked({ for: 'send' })}>
      {t('automations:events.send')}
    </Button>
  );
  const actions = (
    <>
      {send}
      {add}
    </>
  );
  return (
    <AutomationsFrame actions={mayWrite ? actions : undefined}>
      <ShortList
        rows={rows}
        icon={Zap}
        empty={t('automations:events.empty')}
        emptyText={t('automations:events.emptyText')}
        add={mayWrite ? add : undefined}
        row={(event) => (
          <Row
            key={event.id}
            title={<EventName event={event} open={() => setAsked({ for: 'detail', event })} />}
            text={<SchemaText event={event} />}
          >
            {mayWrite ? (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon aria-label={t('automations:events.moreOf', { name: event.name })}>
                    <EllipsisVertical size={16} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setAsked({ for: 'send', event })}>{t('automations:events.send')}</Menu.Item>
                  <Menu.Item onClick={() => setAsked({ for: 'edit', event })}>{t('automations:events.edit')}</Menu.Item>
                  <Menu.Item color="red" onClick={() => setAsked({ for: 'delete', event })}>
                    {t('automations:delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </Row>
        )}
      />
      <SeenEvents define={mayWrite ? (name) => setAsked({ for: 'add', name }) : undefined} />
      {asked?.for === 'detail' ? <EventDetail name={asked.event.name} close={close} /> : null}
      {asked?.for === 'add' ? <EventForm name={asked.name} close={close} saved={saved} /> : null}
      {asked?.for === 'edit' ? <EventForm known={asked.event} close={close} saved={saved} /> : null}
      {asked?.for === 'send' ? <SendForm known={asked.event} close={close} /> : null}
      <Confirm
        opened={asked?.for === 'delete'}
        close={close}
        title={t('automations:events.deleteTitle', { name: asked?.for === 'delete' ? asked.event.name : '' })}
        action={t('automations:delete')}
        dangerous
        run={async () => {
          if (asked?.for !== 'delete') return;
          await answer(api.DELETE('/events/{idOrName}', { params: { path: { idOrName: asked.event.id } } }));
          saved();
          say(t('automations:events.deleted'));
        }}
      >
        <p>{t('automations:events.deleteText')}</p>
      </Confirm>
    </AutomationsFrame>
  );
}

function EventName({ event, open }: { readonly event: EventDefinition; readonly open: () => void }) {
  return (
    <button type="button" className={styles.eventName} onClick={open}>
      <code>{event.name}</code>
    </button>
  );
}

function SchemaText({ event }: { readonly event: EventDefinition }) {
  const { t } = useTranslation();
  const fields = Object.entries(event.schema ?? {});
  if (fields.length === 0) return <>{t('automations:events.anyPayload')}</>;
  return <>{fields.map(([name, type]) => `${name} (${t(`automations:payloadType.${type}`)})`).join(', ')}</>;
}

const payloadTypes = ['string', 'number', 'boolean', 'date'] as const;

interface EventFormProps {
  readonly known?: EventDefinition;
  /** Of an event that was sent and is to be defined. */
  readonly name?: string;
  readonly close: () => void;
  readonly saved: () => void;
}

function EventForm({ known, name: wanted, close, saved }: EventFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(known?.name ?? wanted ?? '');
  const [fields, setFields] = useState<readonly (readonly [string, string])[]>(Object.entries(known?.schema ?? {}));
  const set = (at: number, field: readonly [string, string] | undefined): void =>
    setFields(fields.flatMap((each, no) => (no !== at ? [each] : field === undefined ? [] : [field])));
  const run = async (): Promise<void> => {
    const named = fields
      .filter(([field]) => field.trim() !== '')
      .map(([field, type]): [string, string] => [field.trim(), type]);
    const schema = named.length === 0 ? null : Object.fromEntries(named);
    if (known === undefined) {
      await answer(
        api.POST('/events', { body: { name: name.trim(), ...(schema === null ? {} : { schema }) } as never }),
      );
    } else {
      const path = { idOrName: known.id };
      await answer(api.PATCH('/events/{idOrName}', { params: { path }, body: { schema } as never }));
    }
    saved();
  };
  return (
    <FormModal
      opened
      close={close}
      title={t(known === undefined ? 'automations:events.addTitle' : 'automations:events.editTitle', { name })}
      action={t(known === undefined ? 'automations:events.add' : 'common:save')}
      isReady={name.trim() !== ''}
      run={run}
    >
      {known === undefined ? (
        <TextInput
          data-autofocus
          label={t('automations:name')}
          description={t('automations:events.nameText')}
          value={name}
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
      ) : null}
      <p className="quiet">{t('automations:events.schemaText')}</p>
      {fields.map(([field, type], at) => (
        <div key={at} className={styles.schemaField}>
          <TextInput
            aria-label={t('automations:events.field')}
            value={field}
            maxLength={255}
            onChange={(event) => set(at, [event.currentTarget.value, type])}
            autoComplete="off"
          />
          <Select
            aria-label={t('automations:events.type')}
            data={payloadTypes.map((value) => ({ value, label: t(`automations:payloadType.${value}`) }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => set(at, [field, value ?? 'string'])}
          />
          <ActionIcon aria-label={t('automations:events.removeField')} onClick={() => set(at, undefined)}>
            <X size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setFields([...fields, ['', 'string']])}
        >
          {t('automations:events.addField')}
        </Button>
      </div>
    </FormModal>
  );
}

const samples: Readonly<Record<string, unknown>> = { string: 'text', number: 1, boolean: true, date: '2026-12-31' };

/** An event by hand, with a payload that fits its schema. */
function SendForm({ known, close }: { readonly known: EventDefinition | undefined; readonly close: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(known?.name ?? '');
  const [email, setEmail] = useState('');
  const sample = Object.entries(known?.schema ?? {}).map(([field, type]) => [field, samples[type]]);
  const [payload, setPayload] = useState(JSON.stringify(Object.fromEntries(sample), null, 2));
  const parsed = objectOfJson(payload);
  return (
    <FormModal
      opened
      close={close}
      title={t('automations:events.sendTitle')}
      action={t('automations:events.send')}
      isReady={name.trim() !== '' && email.trim() !== '' && parsed !== undefined}
      run={async () => {
        const body = { event: name.trim(), email: email.trim(), payload: parsed };
        await answer(api.POST('/events/send', { body: body as never }));
        say(t('automations:events.sent'));
      }}
    >
      <TextInput
        label={t('automations:field.event_name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <TextInput
        data-autofocus
        type="email"
        label={t('automations:runs.contact')}
        description={t('automations:events.contactText')}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="off"
      />
      <JsonInput
        label={t('automations:payload')}
        value={payload}
        onChange={setPayload}
        error={parsed === undefined ? t('automations:events.noObject') : undefined}
        autosize
        minRows={4}
        maxRows={16}
      />
    </FormModal>
  );
}
