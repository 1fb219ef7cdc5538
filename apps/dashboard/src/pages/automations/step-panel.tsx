import { ActionIcon, Button, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Copy, Plus, Trash2, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canRemove, missingIn, withConfig, withKey, withTrigger } from '../../logic/automation-draft';
import { stepIcons } from './automation-looks';
import styles from './automations.module.css';
import { StepFields } from './step-fields';
import { changedByKey } from './step-moves';
import type { DraftEdits } from './use-automation-draft';

const moves = [
  { move: 'up', icon: ArrowUp, label: 'automations:moveUp' },
  { move: 'down', icon: ArrowDown, label: 'automations:moveDown' },
  { move: 'copy', icon: Copy, label: 'automations:copyStep' },
] as const;

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
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const step = draft.steps.find(({ key }) => key === stepKey);
  if (step === undefined) return null;
  const Icon = stepIcons[step.type];
  const missing = missingIn(step);
  const apply = (changed: ReturnType<typeof changedByKey>): void => {
    if (changed === undefined) return;
    change(changed.draft);
    choose(changed.key);
  };
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
        <div className={styles.stepActions}>
          {step.type === 'trigger' ? (
            <Button
              variant="subtle"
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => apply(withTrigger(draft, t('automations:type.trigger')))}
            >
              {t('automations:addTrigger')}
            </Button>
          ) : (
            moves.map(({ move, icon: MoveIcon, label }) => (
              <Button
                key={move}
                variant="subtle"
                leftSection={<MoveIcon size={14} aria-hidden />}
                disabled={changedByKey(draft, step.key, move) === undefined}
                onClick={() => apply(changedByKey(draft, step.key, move))}
              >
                {t(label)}
              </Button>
            ))
          )}
          {canRemove(draft, step) ? (
            <Button
              variant="subtle"
              color="red"
              leftSection={<Trash2 size={14} aria-hidden />}
              onClick={() => apply(changedByKey(draft, step.key, 'remove'))}
            >
              {t('automations:removeStep')}
            </Button>
          ) : null}
        </div>
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
      description={t('automations:stepNameText')}
      value={text}
      maxLength={255}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => rename(text.trim())}
      onKeyDown={(event) => (event.key === 'Enter' ? rename(text.trim()) : undefined)}
      autoComplete="off"
    />
  );
}
