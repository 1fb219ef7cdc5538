import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { missingIn, withConfig, withKey, withoutStep } from '../../logic/automation-draft';
import { stepIcons } from './automation-looks';
import styles from './automations.module.css';
import { StepFields } from './step-fields';
import type { DraftEdits } from './use-automation-draft';

interface StepPanelProps {
  readonly edits: DraftEdits;
  readonly stepKey: string;
  readonly choose: (key: string | undefined) => void;
  readonly readOnly: boolean;
  /** Why the server refused this step. */
  readonly refusal: string | undefined;
}

/** What a step does, beside the canvas. */
export function StepPanel({ edits, stepKey, choose, readOnly, refusal }: StepPanelProps) {
  const { t } = useTranslation();
  const { draft, change } = edits;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const step = draft.steps.find(({ key }) => key === stepKey);
  if (step === undefined) return null;
  const Icon = stepIcons[step.type];
  const missing = missingIn(step);
  return (
    <section className={styles.panel} aria-label={t('automations:stepOf', { name: step.key })}>
      <header className={styles.panelHead}>
        {Icon === undefined ? null : <Icon size={16} aria-hidden />}
        <h2 ref={heading} tabIndex={-1}>
          {t(`automations:type.${step.type}`)}
        </h2>
        <ActionIcon aria-label={t('common:close')} onClick={() => choose(undefined)}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </header>
      <fieldset className={styles.fields} disabled={readOnly}>
        {refusal === undefined ? null : (
          <p role="alert" className={styles.refusal}>
            {refusal}
          </p>
        )}
        {missing === undefined ? null : <p className={styles.missing}>{t(`automations:missing.${missing}`)}</p>}
        <StepName
          key={step.key}
          name={step.key}
          rename={(name) => {
            const renamed = withKey(draft, step.key, name);
            if (renamed === draft) return;
            change(renamed);
            choose(name);
          }}
        />
        <StepFields
          key={`${step.key} ${edits.epoch}`}
          draft={draft}
          step={step}
          change={(config) => change(withConfig(draft, step.key, config), `config ${step.key}`)}
        />
        {step.type === 'trigger' ? null : (
          <Button
            variant="subtle"
            color="red"
            className={styles.remove}
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={() => {
              choose(undefined);
              change(withoutStep(draft, step.key));
            }}
          >
            {t('automations:removeStep')}
          </Button>
        )}
      </fieldset>
    </section>
  );
}

/** The name is taken when the field is left: each letter would name another step. */
function StepName({ name, rename }: { readonly name: string; readonly rename: (name: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(name);
  return (
    <TextInput
      label={t('automations:stepName')}
      value={text}
      maxLength={255}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => rename(text.trim())}
      onKeyDown={(event) => (event.key === 'Enter' ? rename(text.trim()) : undefined)}
      autoComplete="off"
    />
  );
}
