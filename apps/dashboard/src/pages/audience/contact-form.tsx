import { Checkbox, MultiSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormModal } from '../../parts/form-modal';
import { useOpenedState } from '../../parts/use-opened-state';
import { AddressHint } from './address-hint';
import { propertiesQuery, segmentsQuery, type WholeContact } from './audience-queries';

type Value = string | number | null;

interface ContactFormProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly action: string;
  readonly known?: WholeContact;
  readonly save: (body: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Address, names and properties of a contact. */
export function ContactForm(props: ContactFormProps) {
  const { t } = useTranslation();
  const { opened, close, title, action, known, save } = props;
  const properties = useQuery({ ...propertiesQuery, enabled: opened });
  const segments = useQuery({ ...segmentsQuery, enabled: opened && known === undefined });
  const [email, setEmail] = useOpenedState(opened, () => known?.email ?? '');
  const [left, setLeft] = useOpenedState(opened, () => '');
  const [first, setFirst] = useOpenedState(opened, () => known?.first_name ?? '');
  const [last, setLast] = useOpenedState(opened, () => known?.last_name ?? '');
  const [isSubscribed, setSubscribed] = useOpenedState(opened, () => known?.unsubscribed !== true);
  const [chosen, setChosen] = useOpenedState<string[]>(opened, () => []);
  const [original] = useOpenedState(opened, () => valuesOf(known));
  const [values, setValues] = useOpenedState(opened, () => valuesOf(known));
  const run = (): Promise<unknown> =>
    save({
      email: email.trim(),
      first_name: first.trim() || null,
      last_name: last.trim() || null,
      unsubscribed: !isSubscribed,
      properties: changedOf(values, original),
      ...(known === undefined && chosen.length > 0 ? { segments: chosen } : {}),
    });
  return (
    <FormModal opened={opened} close={close} title={title} action={action} isReady={email.trim() !== ''} run={run}>
      <TextInput
        data-autofocus
        type="email"
        label={t('audience:contacts.email')}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        onBlur={() => setLeft(email.trim())}
        autoComplete="off"
      />
      {known === undefined && left === email.trim() ? (
        <AddressHint
          email={left}
          take={(meant) => {
            setEmail(meant);
            setLeft(meant);
          }}
        />
      ) : null}
      <TextInput
        label={t('audience:contacts.first')}
        value={first}
        maxLength={255}
        onChange={(event) => setFirst(event.currentTarget.value)}
        autoComplete="off"
      />
      <TextInput
        label={t('audience:contacts.last')}
        value={last}
        maxLength={255}
        onChange={(event) => setLast(event.currentTarget.value)}
        autoComplete="off"
      />
      {(properties.data ?? []).map(({ key, type }) =>
        type === 'number' ? (
          <NumberInput
            key={key}
            label={key}
            value={values[key] ?? ''}
            onChange={(value) => setValues({ ...values, [key]: value === '' ? null : Number(value) })}
          />
        ) : (
          <TextInput
            key={key}
            label={key}
            maxLength={2_000}
            value={values[key] ?? ''}
            onChange={(event) => setValues({ ...values, [key]: event.currentTarget.value || null })}
          />
        ),
      )}
      {known === undefined && (segments.data?.length ?? 0) > 0 ? (
        <MultiSelect
          label={t('audience:segments.title')}
          data={(segments.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={setChosen}
          searchable
        />
      ) : null}
      <Checkbox
        label={t('audience:contacts.getsMail')}
        checked={isSubscribed}
        onChange={(event) => setSubscribed(event.currentTarget.checked)}
      />
    </FormModal>
  );
}

function valuesOf(contact: WholeContact | undefined): Record<string, Value> {
  const known = (contact?.properties ?? {}) as Record<string, { value?: string | number }>;
  return Object.fromEntries(Object.entries(known).map(([key, { value }]) => [key, value ?? null]));
}

function changedOf(
  values: Readonly<Record<string, Value>>,
  known: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => value !== (known[key] ?? null)));
}
