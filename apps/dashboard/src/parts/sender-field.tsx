import { Autocomplete, Badge, Group } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { nameIn } from '../logic/mail-addresses';
import { domainOf } from '../logic/mail-hosts';
import { senderTrouble, sendersOf, suggestedSenders } from '../logic/senders';

/** The name with which the first start makes a team: nobody writes emails as it. */
const unnamedTeam = 'My team';

/** Senders to choose from, the first hundred domains and inboxes. */
export const sendersQuery = queryOptions({
  queryKey: ['senders'],
  queryFn: async () => {
    const first = { params: { query: { limit: 100 } } };
    const [team, domains, inboxes] = await Promise.all([
      answer(api.GET('/team')),
      answer(api.GET('/domains', first)),
      answer(api.GET('/inboxes', first)),
    ]);
    const defaultFrom = team.default_from;
    const sending = domains.data.filter(
      ({ state, capabilities }) =>
        capabilities.sending === 'enabled' && ['verified', 'partially_verified', 'temporary_failure'].includes(state),
    );
    const sources = {
      defaultFrom,
      inboxes: inboxes.data,
      domains: sending.map(({ name }) => name),
      name: defaultFrom?.includes('<') === true ? nameIn(defaultFrom) : team.name === unnamedTeam ? '' : team.name,
    };
    return { ...sources, senders: sendersOf(sources), isWhole: !domains.has_more };
  },
  staleTime: 30_000,
});

/** What the field of a form that needs a sender begins with. */
export function useFirstSender(): string {
  return useQuery(sendersQuery).data?.senders[0] ?? '';
}

interface SenderFieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (from: string) => void;
  readonly description?: string;
  readonly placeholder?: string;
  readonly readOnly?: boolean;
  /** What was refused. */
  readonly error?: ReactNode;
  /** An address without a name, which is not there yet. */
  readonly isNew?: boolean;
}

/** Who an email is from: chosen, completed from the beginning of an address, or typed with a name. */
export function SenderField({ value, change, error, readOnly = false, isNew = false, ...input }: SenderFieldProps) {
  const { t } = useTranslation();
  const { data } = useQuery(sendersQuery);
  const [isFocused, setFocused] = useState(false);
  const domains = data?.isWhole === true && !isNew ? data.domains : undefined;
  const trouble = isFocused || readOnly ? undefined : senderTrouble(value, domains);
  const said = trouble === undefined ? undefined : t(`common:sender.${trouble}`, { domain: domainOf(value) });
  return (
    <Autocomplete
      {...input}
      value={value}
      onChange={change}
      readOnly={readOnly}
      error={error ?? said}
      data={
        data === undefined || readOnly
          ? []
          : [...suggestedSenders(value, isNew ? [] : data.senders, { ...data, ...(isNew ? { name: '' } : {}) })]
      }
      filter={({ options }) => options}
      selectFirstOptionOnChange
      autoSelectOnBlur
      spellCheck={false}
      autoComplete="off"
      maxLength={1_000}
      comboboxProps={{ shadow: 'none' }}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span className="cut">{option.value}</span>
          {option.value === data?.defaultFrom ? (
            <Badge variant="light" color="gray" size="xs" flex="none">
              {t('common:sender.default')}
            </Badge>
          ) : null}
        </Group>
      )}
    />
  );
}
