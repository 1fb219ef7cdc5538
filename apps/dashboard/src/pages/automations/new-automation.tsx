import { Box, Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  BellRing,
  CreditCard,
  HandHeart,
  MailCheck,
  Plus,
  Rocket,
  Star,
  Timer,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, request } from '../../api/client';
import { missingIn, type DraftStep } from '../../logic/automation-draft';
import { startingAutomations, stepsWith, type StartingAutomation } from '../../logic/starting-automations';
import { htmlOf, type StartingEmail } from '../../logic/starting-emails';
import { Alert } from '../../parts/alert';
import { SenderField, useFirstSender } from '../../parts/sender-field';
import { propertiesQuery } from '../audience/audience-queries';
import { eventsQuery } from './automation-queries';
import styles from './automations.module.css';
import { TriggerFields } from './trigger-fields';

const icons: Readonly<Record<string, LucideIcon>> = {
  welcome: HandHeart,
  trial: Timer,
  payment: CreditCard,
  'win-back': Undo2,
  review: Star,
  'opt-in': MailCheck,
  onboarding: Rocket,
  date: BellRing,
};

interface NewAutomationProps {
  readonly opened: boolean;
  readonly close: () => void;
}

/** From nothing, or with one of the automations to begin with: the emails, events and properties that it needs are made too. */
export function NewAutomation({ opened, close }: NewAutomationProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('automations:addTitle')}
      size={760}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <Choices />
    </Modal>
  );
}

function Choices() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<StartingAutomation | 'blank'>('blank');
  return (
    <>
      <div className={styles.gallery} role="radiogroup" aria-label={t('automations:gallery.title')}>
        {(['blank', ...startingAutomations] as const).map((each) => {
          const id = each === 'blank' ? each : each.id;
          const Icon = icons[id] ?? Plus;
          return (
            <button
              key={id}
              type="button"
              role="radio"
              aria-checked={chosen === each}
              className={styles.galleryCard}
              onClick={() => setChosen(each)}
            >
              <Icon size={18} aria-hidden />
              <Box component="span" mt={4} c="var(--text)" fw={550}>
                {t(`automations:gallery.${id}.name`)}
              </Box>
              <span className={styles.galleryText}>{t(`automations:gallery.${id}.text`)}</span>
            </button>
          );
        })}
      </div>
      {chosen === 'blank' ? <BlankForm /> : <StartForm key={chosen.id} chosen={chosen} />}
    </>
  );
}

function BlankForm() {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [config, setConfig] = useState<DraftStep['config']>({});
  const step: DraftStep = { key: t('automations:type.trigger'), type: 'trigger', config };
  const draft = { steps: [step], connections: [] };
  const make = useMake();
  return (
    <MakeForm
      isReady={name.trim() !== '' && missingIn(step) === undefined}
      make={() => make.automation({ name: name.trim(), ...draft })}
    >
      <TextInput
        label={t('automations:name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <TriggerFields draft={draft} step={step} change={setConfig} />
    </MakeForm>
  );
}

function StartForm({ chosen }: { readonly chosen: StartingAutomation }) {
  const { t } = useTranslation();
  const [name, setName] = useState(chosen.name);
  const [from, setFrom] = useState<string>();
  const firstSender = useFirstSender();
  const sender = from ?? firstSender;
  const make = useMake();
  return (
    <MakeForm
      isReady={name.trim() !== '' && sender.trim() !== ''}
      make={() => make.from(chosen, name.trim(), sender.trim())}
    >
      <TextInput
        label={t('automations:name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <SenderField
        label={t('automations:gallery.from')}
        description={t('automations:gallery.fromText', { count: chosen.emails.length })}
        value={sender}
        change={setFrom}
      />
    </MakeForm>
  );
}

interface MakeFormProps {
  readonly isReady: boolean;
  readonly make: () => Promise<void>;
  readonly children: React.ReactNode;
}

function MakeForm({ isReady, make, children }: MakeFormProps) {
  const { t } = useTranslation();
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      await make();
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <form
      className={styles.galleryForm}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <Alert error={error} />
      <div className={styles.galleryButton}>
        <Button type="submit" disabled={!isReady} loading={running}>
          {t('automations:add')}
        </Button>
      </div>
    </form>
  );
}

interface Made {
  readonly automation: (body: object) => Promise<void>;
  readonly from: (chosen: StartingAutomation, name: string, from: string) => Promise<void>;
}

function useMake(): Made {
  const client = useQueryClient();
  const navigate = useNavigate();
  const automation = async (body: object): Promise<void> => {
    const { id } = await answer(api.POST('/automations', { body: body as never }));
    await client.invalidateQueries();
    await navigate({ to: `/app/automations/${id}` });
  };
  return {
    automation,
    from: async ({ events, properties, emails, steps, connections, settings }, name, from) => {
      const [knownEvents, knownProperties] = await Promise.all([
        client.fetchQuery(eventsQuery),
        client.fetchQuery(propertiesQuery),
      ]);
      for (const [event, schema] of Object.entries(events)) {
        if (knownEvents.some((known) => known.name === event)) continue;
        await answer(api.POST('/events', { body: { name: event, schema } as never }));
      }
      for (const key of properties) {
        if (knownProperties.some((known) => known.key === key)) continue;
        await answer(api.POST('/contact-properties', { body: { key, type: 'string' } as never }));
      }
      const templates = new Map<string, string>();
      try {
        for (const email of emails) templates.set(email.id, await published(email, name, from));
        await automation({ name, steps: stepsWith(steps, templates), connections, settings });
      } catch (failure) {
        // Nothing is left behind but events and properties.
        for (const id of templates.values())
          await request(`/templates/${id}`, { method: 'DELETE' }).catch(() => undefined);
        throw failure;
      }
    },
  };
}

async function published(email: StartingEmail, automation: string, from: string): Promise<string> {
  const variables = Object.entries(email.variables ?? {}).map(([key, fallback]) => ({
    key,
    type: 'string' as const,
    fallback_value: fallback,
  }));
  const body = {
    name: `${automation}: ${email.name}`,
    subject: email.subject,
    from,
    html: htmlOf(email),
    variables,
  };
  const { id } = await answer(api.POST('/templates', { body: body as never }));
  await answer(api.POST('/templates/{idOrAlias}/publish', { params: { path: { idOrAlias: id } } }));
  return id;
}
