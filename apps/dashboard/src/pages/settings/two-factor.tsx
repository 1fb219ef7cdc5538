import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { renderSVG } from 'uqr';
import { auth } from '../../api/auth';
import { sessionQuery, useSession } from '../../api/session';
import { withStepUp } from '../../api/step-up';
import { Alert } from '../../parts/alert';
import { CopyButton } from '../../parts/copy-button';
import { say } from '../../parts/say';
import { Row, Rows, Section } from '../../parts/section';
import { useSubmit } from '../../parts/use-submit';
import styles from './settings.module.css';
import section from '../../parts/layout.module.css';

type Step = 'enable' | 'disable' | 'codes';

interface Enrolment {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** A code from an app as the second factor, and recovery codes for the day on which the phone is lost. */
export function TwoFactor() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isOn = useSession()?.user.has_second_factor ?? false;
  const [step, setStep] = useState<Step>();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const renew = (): Promise<void> => client.invalidateQueries({ queryKey: sessionQuery.queryKey });

  const confirmed = async (password: string): Promise<void> => {
    if (step === 'enable') setEnrolment(await withStepUp(() => auth<Enrolment>('/two-factor/enable', { password })));
    if (step === 'codes') {
      const made = await withStepUp(() =>
        auth<{ backupCodes: readonly string[] }>('/two-factor/generate-backup-codes', { password }),
      );
      setCodes(made.backupCodes);
    }
    if (step === 'disable') {
      await withStepUp(() => auth('/two-factor/disable', { password }));
      await renew();
      say(t('settings:factor.off'));
    }
    setStep(undefined);
  };
  const enrolled = async (): Promise<void> => {
    setCodes(enrolment?.backupCodes);
    setEnrolment(undefined);
    await renew();
  };
  return (
    <Section
      title={t('settings:factor.title')}
      text={t('settings:factor.text')}
      action={
        isOn || enrolment !== undefined ? null : (
          <Button variant="default" onClick={() => setStep('enable')}>
            {t('settings:factor.enable')}
          </Button>
        )
      }
    >
      {isOn ? (
        <Rows>
          <Row icon={<ShieldCheck size={17} aria-hidden />} title={t('settings:factor.isOn')}>
            <Button variant="default" onClick={() => setStep('codes')}>
              {t('settings:factor.newCodes')}
            </Button>
            <Button variant="light" color="red" onClick={() => setStep('disable')}>
              {t('settings:factor.disable')}
            </Button>
          </Row>
        </Rows>
      ) : null}
      {enrolment === undefined ? null : (
        <Enrol enrolment={enrolment} done={enrolled} cancel={() => setEnrolment(undefined)} />
      )}
      {codes === undefined ? null : <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />}
      <Modal
        opened={step !== undefined}
        onClose={() => setStep(undefined)}
        title={t(`settings:factor.confirm.${step ?? 'enable'}`)}
        size={400}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <PasswordForm run={confirmed} />
      </Modal>
    </Section>
  );
}

function PasswordForm({ run }: { readonly run: (password: string) => Promise<void> }) {
  const { t } = useTranslation();
  const form = useSubmit(({ secret = '' }) => run(secret));
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap={16} align="flex-start">
        <Alert error={form.error} />
        <PasswordInput
          data-autofocus
          w="100%"
          name="secret"
          label={t('signIn:password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={form.running}>
          {t('signIn:code.submit')}
        </Button>
      </Stack>
    </form>
  );
}

interface EnrolProps {
  readonly enrolment: Enrolment;
  readonly done: () => Promise<void>;
  readonly cancel: () => void;
}

function Enrol({ enrolment, done, cancel }: EnrolProps) {
  const { t } = useTranslation();
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? '';
  const image = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(enrolment.totpURI, { border: 0 }))}`;
  const form = useSubmit(async ({ code = '' }) => {
    await auth('/two-factor/verify-totp', { code: code.replaceAll(' ', '') });
    await done();
  });
  return (
    <Stack gap={16} align="flex-start">
      <p className="quiet">{t('settings:factor.scan')}</p>
      <img className={styles.qr} src={image} alt={t('settings:factor.qr')} />
      <p>
        <span className="quiet">{t('settings:factor.secret')} </span>
        <code data-testid="totp-secret">{secret}</code> <CopyButton value={secret} label={t('common:copy')} />
      </p>
      <form onSubmit={form.onSubmit}>
        <Alert error={form.error} />
        <TextInput
          name="code"
          label={t('signIn:code.label')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          withAsterisk={false}
        />
        <div className={section.row}>
          <Button variant="default" onClick={cancel}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.running}>
            {t('settings:factor.finish')}
          </Button>
        </div>
      </form>
    </Stack>
  );
}

function RecoveryCodes({ codes, close }: { readonly codes: readonly string[]; readonly close: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack gap={16} align="flex-start">
      <p>{t('settings:factor.codesText')}</p>
      <ul className={styles.codes} aria-label={t('settings:factor.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={section.row}>
        <CopyButton wide value={codes.join('\n')} label={t('settings:factor.copyCodes')} />
        <Button onClick={close}>{t('settings:factor.kept')}</Button>
      </div>
    </Stack>
  );
}
