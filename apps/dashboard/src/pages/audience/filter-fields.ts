import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldKind, FilterGroup } from '../../logic/segment-filter';
import { propertiesQuery, segmentsQuery, topicsQuery } from './audience-queries';

export interface FilterField {
  readonly value: string;
  readonly label: string;
  readonly kind: FieldKind;
}

export interface FilterFields {
  /** The field of a new rule. */
  readonly first: string;
  readonly matches: readonly FilterGroup['match'][];
  /** Whether fields that are not in the list can be typed. */
  readonly isOpen: boolean;
  readonly groups: readonly { readonly group: string; readonly items: readonly FilterField[] }[];
  readonly kindOf: (field: string) => FieldKind;
  readonly labelOf: (field: string) => string;
}

const contactFields: readonly (readonly [field: string, kind: FieldKind])[] = [
  ['email', 'text'],
  ['first_name', 'text'],
  ['last_name', 'text'],
  ['unsubscribed', 'flag'],
  ['created_at', 'time'],
  ['updated_at', 'time'],
];
const activityFields = ['sent', 'opened', 'clicked', 'machine_opened', 'machine_clicked'];

/** What a segment can ask of a contact: its fields, its activity, and the properties, topics and segments of the team. */
export function useFilterFields(enabled: boolean): FilterFields {
  const { t } = useTranslation();
  const properties = useQuery({ ...propertiesQuery, enabled }).data;
  const topics = useQuery({ ...topicsQuery, enabled }).data;
  const segments = useQuery({ ...segmentsQuery, enabled }).data;
  return useMemo(() => {
    const named = (field: string, kind: FieldKind): FilterField => ({
      value: `contact.${field}`,
      label: t(`audience:filter.field.${field}`),
      kind,
    });
    const groups = [
      { group: t('audience:filter.contact'), items: contactFields.map(([field, kind]) => named(field, kind)) },
      { group: t('audience:filter.activity'), items: activityFields.map((field) => named(field, 'activity')) },
      {
        group: t('audience:properties.title'),
        items: (properties ?? []).map(({ key, type }): FilterField => ({
          value: `contact.properties.${key}`,
          label: key,
          kind: type === 'number' ? 'number' : 'text',
        })),
      },
      {
        group: t('audience:topics.title'),
        items: (topics ?? []).map(({ id, name }): FilterField => ({
          value: `contact.topics.${id}`,
          label: name,
          kind: 'topic',
        })),
      },
      {
        group: t('audience:segments.title'),
        items: (segments ?? []).map(({ id, name }): FilterField => ({
          value: `contact.segments.${id}`,
          label: name,
          kind: 'segment',
        })),
      },
    ].filter(({ items }) => items.length > 0);
    const all = groups.flatMap(({ items }) => items);
    const find = (field: string): FilterField | undefined => all.find(({ value }) => value === field);
    return {
      first: 'contact.email',
      matches: ['all', 'any', 'none'],
      isOpen: false,
      groups,
      kindOf: (field) => find(field)?.kind ?? 'text',
      labelOf: (field) => find(field)?.label ?? field,
    };
  }, [properties, segments, t, topics]);
}
