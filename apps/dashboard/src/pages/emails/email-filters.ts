import { useQuery } from '@tanstack/react-query';
import { AtSign, CalendarMinus2, CalendarPlus2, CircleDot, Globe, KeyRound, Megaphone, Tag, Type } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import type { Filter } from '../../list/filters';

/** The values in the URL that the list of emails reads. Other pages link with them. */
export const filterKeys = [
  'q',
  'status',
  'recipient',
  'subject',
  'tag',
  'domain_id',
  'api_key_id',
  'broadcast_id',
  'created_after',
  'created_before',
];

const states = [
  'delivered',
  'delivery_delayed',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'sent',
  'queued',
  'scheduled',
  'suppressed',
  'failed',
  'canceled',
];

export function useEmailFilters(): readonly Filter[] {
  const { t } = useTranslation();
  const mayKeys = useMay('api-keys:read');
  const mayDomains = useMay('domains:read');
  const mayBroadcasts = useMay('broadcasts:read');
  const domains = useQuery({
    queryKey: ['domains', 'names'],
    queryFn: () => answer(api.GET('/domains')),
    enabled: mayDomains,
    staleTime: 60_000,
  });
  const keys = useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: () => answer(api.GET('/api-keys')),
    enabled: mayKeys,
    staleTime: 60_000,
  });
  const broadcasts = useQuery({
    queryKey: ['broadcasts', 'names'],
    queryFn: () => answer(api.GET('/broadcasts', { params: { query: { limit: 100 } } })),
    enabled: mayBroadcasts,
    staleTime: 60_000,
  });
  const named = (rows: readonly { readonly id: string; readonly name: string }[] | undefined) =>
    rows?.map(({ id, name }) => ({ value: id, label: name }));
  const domainChoices = named(domains.data?.data);
  const keyChoices = named(keys.data?.data);
  const broadcastChoices = named(
    broadcasts.data?.data.map(({ id, name }) => ({ id, name: name || t('broadcasts:noName') })),
  );
  return [
    {
      key: 'status',
      label: t('emails:column.state'),
      icon: CircleDot,
      choices: states.map((value) => ({ value, label: t(`common:state.${value}`) })),
    },
    { key: 'recipient', label: t('emails:filter.recipient'), icon: AtSign, placeholder: 'ada@example.org' },
    { key: 'subject', label: t('emails:column.subject'), icon: Type },
    { key: 'tag', label: t('emails:filter.tag'), icon: Tag, placeholder: 'category:orders' },
    ...(domainChoices === undefined
      ? []
      : [{ key: 'domain_id', label: t('emails:filter.domain'), icon: Globe, choices: domainChoices }]),
    ...(keyChoices === undefined
      ? []
      : [{ key: 'api_key_id', label: t('emails:filter.apiKey'), icon: KeyRound, choices: keyChoices }]),
    ...(broadcastChoices === undefined || broadcastChoices.length === 0
      ? []
      : [{ key: 'broadcast_id', label: t('emails:filter.broadcast'), icon: Megaphone, choices: broadcastChoices }]),
    { key: 'created_after', label: t('emails:filter.after'), icon: CalendarPlus2, inputType: 'date' },
    { key: 'created_before', label: t('emails:filter.before'), icon: CalendarMinus2, inputType: 'date' },
  ];
}
