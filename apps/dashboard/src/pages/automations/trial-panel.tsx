import { ActionIcon, Autocomplete, Button, JsonInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { FlaskConical, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import type { AutomationDraft } from '../../logic/automation-draft';
import { objectOfJson } from '../../logic/json-object';
import { HtmlFrame } from '../../parts/html-frame';
import layout from '../../parts/layout.module.css';
import { Time } from '../../parts/time';
import { AutomationState, stepIcons } from './automation-looks';
import type { AutomationSettings } from './automation-settings';
import styles from './automations.module.css';
import { EventNameInput } from './config-fields';

export type Trial = Schema<'AutomationTrialResponse'>;

interface LaterEvent {
  readonly after: string;
  readonly event_name: string;
}

interface TrialPanelProps {
  readonly draft: AutomationDraft;
  readonly settings: AutomationSettings;
  readonly trial: Trial | undefined;
  readonly setTrial: (trial: Trial | undefined) => void;
  readonly close: () => void;
  /** A step that the server refuses is shown where it is changed. */
  readonly refuse: (failure: unknown) => void;
}

/** The way of a contact through what is drawn, in fast time: nothing is sent and nothing is changed. */
export function TrialPanel({ draft, settings, trial, setTrial, close, refuse }: TrialPanelProps) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [payload, setPayload] = useState('{}');
  const [events, setEvents] = useState<readonly LaterEvent[]>([]);
  const [isRunning, setRunning] = useState(false);
  const parsed = objectOfJson(payload);
  const run = async (): Promise<void> => {
    setRunning(true);
    try {
      const { steps, connections } = draft;
      const body = { steps, connections, settings, email: email.trim(), payload: parsed, events };
      setTrial(await answer(api.POST('/automations/try', { body: body as never })));
    } catch (failure) {
      refuse(failure);
    } finally {
      setRunning(false);
    }
  };
  const replace = (at: number, event: LaterEvent | undefined): void =>
    setEvents(events.flatMap((each, no) => (no !== at ? [each] : event === undefined ? [] : [event])));
  return (
    <section className={styles.panel} aria-label={t('automations:try.title')}>
      <header className={styles.panelHead}>
        <FlaskConical size={16} aria-hidden />
        <h2>{t('automations:try.title')}</h2>
        <ActionIcon aria-label={t('common:close')} onClick={close}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </header>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p className="quiet">{t('automations:try.text')}</p>
        <ContactChoice email={email} setEmail={setEmail} />
        <JsonInput
          label={t('automations:payload')}
          value={payload}
          onChange={setPayload}
          error={parsed === undefined ? t('automations:events.noObject') : undefined}
          autosize
          minRows={2}
          maxRows={12}
        />
        {events.map((event, at) => (
          <div key={at} className={styles.laterEvent}>
            <TextInput
              aria-label={t('automations:try.after')}
              value={event.after}
              maxLength={64}
              onChange={({ currentTarget: { value } }) => replace(at, { ...event, after: value })}
            />
            <EventNameInput
              label={t('automations:try.event')}
              value={event.event_name}
              withEmails
              change={(name) => replace(at, { ...event, event_name: name })}
            />
            <ActionIcon aria-label={t('automations:try.removeEvent')} onClick={() => replace(at, undefined)}>
              <X size={15} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <div className={layout.line}>
          <Button
            variant="subtle"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setEvents([...events, { after: '1 day', event_name: '' }])}
          >
            {t('automations:try.addEvent')}
          </Button>
          <Button type="submit" loading={isRunning} disabled={email.trim() === '' || parsed === undefined}>
            {t('automations:try.run')}
          </Button>
        </div>
      </form>
      {trial === undefined ? null : <TrialStory trial={trial} />}
    </section>
  );
}

const searchDelayMs = 200;

function ContactChoice({ email, setEmail }: { readonly email: string; readonly setEmail: (email: string) => void }) {
  const { t } = useTranslation();
  const [search] = useDebouncedValue(email, searchDelayMs);
  const found = useQuery({
    queryKey: ['contacts', 'found', search],
    queryFn: async () => (await answer(api.GET('/contacts', { params: { query: { search, limit: 10 } } }))).data,
    enabled: search.trim() !== '',
  }).data;
  return (
    <Autocomplete
      label={t('automations:try.contact')}
      description={t('automations:try.contactText')}
      data={(found ?? []).map((contact) => contact.email)}
      value={email}
      maxLength={320}
      onChange={setEmail}
    />
  );
}

function TrialStory({ trial }: { readonly trial: Trial }) {
  const { t } = useTranslation();
  return (
    <div className={styles.fields} aria-live="polite">
      <div className={layout.line}>
        <h3 className={styles.trialTitle}>{t('automations:try.result')}</h3>
        <AutomationState state={trial.status} />
      </div>
      <ol className={styles.story}>
        {trial.steps.map((step) => (
          <TrialStep key={step.key} step={step} email={trial.emails.find((each) => each.step_key === step.key)} />
        ))}
      </ol>
    </div>
  );
}

interface TrialStepProps {
  readonly step: Trial['steps'][number];
  readonly email: Trial['emails'][number] | undefined;
}

function TrialStep({ step, email }: TrialStepProps) {
  const [isOpen, setOpen] = useState(false);
  const Icon = stepIcons[step.type];
  return (
    <li className={styles.storyStep} data-state={step.status}>
      <span className={styles.cardIcon}>{Icon === undefined ? null : <Icon size={15} aria-hidden />}</span>
      <div className={styles.storyText}>
        <div className={layout.line}>
          <span className="cut">{step.key}</span>
          <AutomationState state={step.status} plain />
        </div>
        <div className="quiet">
          <Time at={step.at} form="exact" />
        </div>
        <div>{step.explanation}</div>
        {step.error === null ? null : <p className={styles.refusal}>{step.error}</p>}
        {email === undefined ? null : (
          <>
            <Button
              variant="subtle"
              size="compact-sm"
              className={styles.showEmail}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {email.subject}
            </Button>
            {isOpen ? (
              <div className={styles.trialEmail}>
                {email.html === null ? (
                  <pre className={styles.trialText}>{email.text}</pre>
                ) : (
                  <HtmlFrame html={email.html} title={email.subject} />
                )}
              </div>
            ) : null}
          </>
        )}
      </div>
    </li>
  );
}
