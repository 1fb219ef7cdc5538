import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { shortPercent } from '../../logic/axis';
import { textOfValue, type DraftStep } from '../../logic/automation-draft';
import { filterOf, isGroup } from '../../logic/segment-filter';
import { segmentsQuery } from '../audience/audience-queries';
import { templatesQuery } from '../templates/template-choice';
import { triggerWord } from './automation-queries';

/** What a step does, in a few words: the name of its template, "2 days". Its type, where there is no more to say. */
export function useStepSummary({ type, config }: DraftStep): string {
  const { t, i18n } = useTranslation();
  const templates = useQuery({ ...templatesQuery, enabled: type === 'send_email' }).data;
  const segments = useQuery({ ...segmentsQuery, enabled: type.endsWith('_segment') }).data;
  switch (type) {
    case 'trigger': {
      const kind = triggerWord(textOfValue(config.event_name));
      return kind === 'custom' ? textOfValue(config.event_name) : t(`automations:trigger.${kind}`);
    }
    case 'wait_for_event':
    case 'goal':
    case 'send_event':
      return textOfValue(config.event_name);
    case 'wait_until':
      return textOfValue(config.time);
    case 'webhook':
      return textOfValue(config.url).replace(/^https?:\/\//, '');
    case 'send_email': {
      const { id } = (config.template ?? {}) as { readonly id?: string };
      return templates?.find((each) => each.id === id || each.alias === id)?.name ?? id ?? '';
    }
    case 'delay':
      return textOfValue(config.duration);
    case 'split':
      return shortPercent(Number(config.percent ?? 0), i18n.language);
    case 'condition':
      return ruleText(config, t);
    case 'add_to_segment':
    case 'remove_from_segment':
      return segments?.find(({ id }) => id === config.segment_id)?.name ?? '';
    default:
      return t(`automations:type.${type}`);
  }
}

type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string;

/** One rule as a sentence; of several how many there are. Empty until a rule is complete. */
function ruleText(config: DraftStep['config'], t: Translate): string {
  if (config.type === undefined) return '';
  const { items } = filterOf(config);
  const [first] = items;
  if (first === undefined || isGroup(first) || items.length > 1) return t('automations:rules', { count: items.length });
  return `${first.field} ${t(`audience:filter.operator.${first.operator}`)} ${first.value}`.trim();
}
