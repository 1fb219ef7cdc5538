import { Select, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { textOfValue } from '../../logic/automation-draft';

/** The first hundred, for choices. */
export const templatesQuery = queryOptions({
  queryKey: ['templates', 'choices'],
  queryFn: async () => (await answer(api.GET('/templates', { params: { query: { limit: 100 } } }))).data,
});

/** By its id or its alias. */
export const templateQuery = (idOrAlias: string | undefined) =>
  queryOptions({
    queryKey: ['template', idOrAlias],
    queryFn: () => answer(api.GET('/templates/{idOrAlias}', { params: { path: { idOrAlias: idOrAlias ?? '' } } })),
    enabled: idOrAlias !== undefined,
    retry: false,
  });

interface TemplateChoiceProps {
  readonly label: string;
  /** Its id or its alias. */
  readonly value: string | undefined;
  readonly choose: (id: string) => void;
  /** What may be written for a variable. */
  readonly variableText?: string;
  readonly valueOf: (key: string) => string;
  readonly put: (key: string, text: string) => void;
}

/** A published template, and a value for each of its variables. */
export function TemplateChoice({ label, value, choose, variableText, valueOf, put }: TemplateChoiceProps) {
  const { t } = useTranslation();
  const templates = useQuery(templatesQuery);
  const known = useQuery(templateQuery(value)).data;
  const choices = (templates.data ?? [])
    .filter(({ status }) => status === 'published')
    .map(({ id, name }) => ({ value: id, label: name }));
  // A program may have named it by its alias.
  const chosen = known?.id ?? value ?? null;
  const isListed = chosen === null || choices.some((choice) => choice.value === chosen);
  return (
    <>
      <Select
        label={label}
        description={t('automations:fieldText.template')}
        data={isListed ? choices : [...choices, { value: chosen, label: known?.name ?? chosen }]}
        value={chosen}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('automations:noTemplates')}
        onChange={(id) => (id === null ? undefined : choose(id))}
      />
      {(known?.variables ?? []).map(({ key, fallback_value: fallback }) => (
        <TextInput
          key={key}
          label={<code>{key}</code>}
          description={variableText}
          placeholder={textOfValue(fallback)}
          value={valueOf(key)}
          onChange={(event) => put(key, event.currentTarget.value)}
        />
      ))}
    </>
  );
}
