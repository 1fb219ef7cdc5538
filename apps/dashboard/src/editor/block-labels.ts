import i18next from 'i18next';

type Attrs = Readonly<Record<string, unknown>>;

interface Rule {
  readonly type?: string;
  readonly rules?: readonly Rule[];
  readonly field?: string;
  readonly operator?: string;
  readonly value?: unknown;
}

interface FooterDefaults {
  readonly address: string;
  readonly isBroadcast: boolean;
}

let footerDefaults: FooterDefaults = { address: '', isBroadcast: false };

/** The footer's text where the block sets none; one editor is open at a time. */
export function setFooterDefaults(known: FooterDefaults): void {
  footerDefaults = known;
}

/** What a block says about itself on the canvas, beside its content. */
export function labelsOfBlock(name: string, attrs: Attrs): Readonly<Record<string, string>> {
  switch (name) {
    case 'conditional':
      return {
        'data-label':
          attrs.rule === null || attrs.rule === undefined
            ? i18next.t('editor:rule.everybodyShort')
            : i18next.t('editor:rule.onlyIf', { rule: ruleText(attrs.rule as Rule) }),
      };
    case 'repeat':
      return {
        'data-label': i18next.t('editor:rule.forEach', { list: typeof attrs.list === 'string' ? attrs.list : '' }),
      };
    case 'footer': {
      const address = typeof attrs.address === 'string' ? attrs.address : footerDefaults.address;
      const word =
        typeof attrs.unsubscribe === 'string'
          ? attrs.unsubscribe
          : footerDefaults.isBroadcast
            ? i18next.t('editor:first.unsubscribe')
            : '';
      return { 'data-rest': [address, word].filter((line) => line !== '').join('\n') };
    }
    default:
      return {};
  }
}

function ruleText(rule: Rule): string {
  if (rule.rules !== undefined) {
    return rule.rules.map(ruleText).join(` ${i18next.t(rule.type === 'or' ? 'editor:rule.or' : 'editor:rule.and')} `);
  }
  const field = (rule.field ?? '').replace(/^contact\.(?:properties\.)?/, '');
  const operator = i18next.t([`audience:filter.operator.${rule.operator ?? ''}`, rule.operator ?? '']);
  return [field, operator, rule.value === undefined ? '' : JSON.stringify(rule.value).replace(/^"|"$/g, '')]
    .filter((part) => part !== '')
    .join(' ');
}
