import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../../support/builders/random-automation.js';
import { SkippedCase } from '../bench-case.js';
import { mimeOf } from '../load/load-case.js';
import { signatureMs } from '../signature-ms.js';
import { Sink } from '../sink.js';
import { MailSystem, PostfixSystem, PostriderSystem } from './mail-systems.js';
import { figuresOf, rounded, signed, SystemFigures } from './proof.js';
import { Kill, Round, runRound } from './round.js';

const connections = 64;
/** Postfix has nothing that gets faster by running. */
const maxPostfixWarmUp = 1_000;
const settleMs = 1_000;

interface Options {
  readonly emails: number;
  readonly rounds: number;
  readonly warm: number;
  readonly seed: number;
  readonly key: KeyObject;
  readonly out: string | undefined;
}

/** The rounds of one system, with moments of kills and emails that follow from the seed. */
class Proof {
  readonly speed: Round[] = [];
  readonly kill: Round[] = [];
  private warmUp: Round | undefined;

  constructor(
    readonly system: MailSystem,
    private readonly sink: Sink,
    private readonly options: Options,
    private readonly nextNumber: () => number,
  ) {}

  async warm(emails: number): Promise<void> {
    this.warmUp = await this.run(emails, []);
  }

  async measure(): Promise<void> {
    const round = await this.run(this.options.emails, []);
    this.speed.push(round);
    this.report(`${Math.round(round.accepted.length / round.seconds)} emails/s`);
  }

  /** Kills in the first and in the second half of the emails. */
  async killMeanwhile(random: () => number): Promise<void> {
    const { emails } = this.options;
    const kills = [0, 1].map((half): Kill => {
      const { killed } = this.system;
      const moment = Math.ceil(emails * (half / 2 + 0.1 + random() * 0.3));
      return { after_accepted: moment, process: killed[half % killed.length] ?? 'server' };
    });
    this.kill.push(await this.run(emails, kills));
    this.report(kills.map((kill) => `${kill.process} killed after ${kill.after_accepted} emails`).join(', '));
  }

  figures(cores: number, ofSignature: number): SystemFigures {
    const { system, speed, kill, warmUp } = this;
    if (warmUp === undefined) throw new Error('There was no warm-up');
    return figuresOf({ signer: system.signer, warmUp, speed, kill }, this.sink, cores, ofSignature);
  }

  private run(emails: number, kills: readonly Kill[]): Promise<Round> {
    return runRound(this.system, this.sink, { emails, connections, kills, nextNumber: this.nextNumber });
  }

  private report(what: string): void {
    console.error(`${this.system.name}: ${what}`);
  }
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      emails: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '3' },
      warm: { type: 'string', default: '40000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      key: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const { emails, rounds, warm, seed } = values;
  const key = values.key === undefined ? generateKeyPairSync('ed25519').privateKey : readKey(values.key);
  return {
    emails: wholeNumber('emails', emails, 10),
    rounds: wholeNumber('rounds', rounds, 1),
    warm: wholeNumber('warm', warm, 0),
    seed: wholeNumber('seed', seed, 0),
    key,
    out: values.out,
  };
}

function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < min) throw new Error(`--${name} is a whole number, at least ${min}`);
  return value;
}

function readKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('--key names a file that has no Ed25519 key');
  return key;
}

/** The number of an email is its identity, and its text has it in every line. */
function numbersFrom(seed: number): () => number {
  let no = (seed % 100_000) * 10_000_000;
  return () => no++;
}

/** Returns the reason as text if Postfix cannot run here. */
async function startPostfix(sinkPort: number): Promise<PostfixSystem | string> {
  try {
    return await PostfixSystem.start(sinkPort);
  } catch (error) {
    if (!(error instanceof SkippedCase)) throw error;
    return error.message;
  }
}

/** All rounds of measuring come first: a process that was just started is slower than one that is warm. */
async function runAll(proofs: readonly Proof[], { rounds, warm, seed }: Options): Promise<void> {
  const random = randomFrom(seed);
  for (const proof of proofs)
    await proof.warm(proof.system instanceof PostfixSystem ? Math.min(warm, maxPostfixWarmUp) : warm);
  const inTurn = (): readonly Proof[] => (random() < 0.5 ? proofs : proofs.toReversed());
  for (let no = 0; no < rounds; no++) for (const proof of inTurn()) await proof.measure();
  for (let no = 0; no < rounds; no++) for (const proof of inTurn()) await proof.killMeanwhile(random);
  await delay(settleMs);
}

function machine(rsa2048SignatureMs: number): object {
  return {
    cpu_model: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_bytes: totalmem(),
    kernel: `${type()} ${release()}`,
    node: process.version,
    openssl: process.versions.openssl,
    rsa2048_signature_ms: rsa2048SignatureMs,
  };
}

function source(): { commit: string | null; is_dirty: boolean | null } {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    return { commit: git('rev-parse', 'HEAD'), is_dirty: git('status', '--porcelain') !== '' };
  } catch {
    return { commit: null, is_dirty: null };
  }
}

function ratioOf(of: SystemFigures, to: SystemFigures): Record<keyof SystemFigures['medians'], number> {
  const ratio = (name: keyof SystemFigures['medians']): number => rounded(of.medians[name] / to.medians[name]);
  return {
    emails_per_second: ratio('emails_per_second'),
    cpu_ms_per_email: ratio('cpu_ms_per_email'),
    cpu_ms_per_email_without_signature: ratio('cpu_ms_per_email_without_signature'),
  };
}

function sentence(postrider: SystemFigures, postfix: SystemFigures | null): string {
  const counted = ({ totals }: SystemFigures): string =>
    `${totals.lost === 0 ? 'none' : totals.lost} of ${totals.accepted} accepted emails was lost and ` +
    `${totals.repeated === 0 ? 'none' : totals.repeated} arrived more than once`;
  const rate = ({ medians }: SystemFigures): string => medians.emails_per_second.toFixed(0);
  const times = (count: number): string => ['never', 'once', 'twice'][count] ?? `${count} times`;
  const { server_kills: serverKills, postgres_kills: postgresKills } = postrider.totals;
  const own =
    `On this machine Postrider delivered ${rate(postrider)} emails of 4 KB a second; its server was killed ` +
    `${times(serverKills)}, its PostgreSQL ${times(postgresKills)}, ${counted(postrider)}`;
  if (postfix === null) return `${own}.`;
  return (
    `${own}; Postfix with OpenDKIM delivered ${rate(postfix)} a second, was killed ` +
    `${times(postfix.totals.server_kills)}, ${counted(postfix)}.`
  );
}

async function main(): Promise<void> {
  const options = readOptions();
  const sink = await Sink.start('numbered-sink-process');
  const systems: MailSystem[] = [];
  try {
    const postrider = await PostriderSystem.start(sink.port);
    systems.push(postrider);
    const started = await startPostfix(sink.port);
    const [postfix, whyNoPostfix] = typeof started === 'string' ? [undefined, started] : [started, null];
    if (postfix === undefined)
      console.error(`Without Postfix: ${whyNoPostfix}. On Debian, as root: apt-get install postfix opendkim`);
    else systems.push(postfix);

    const ofSignature = rounded(signatureMs());
    const nextNumber = numbersFrom(options.seed);
    const proofs = systems.map((system) => new Proof(system, sink, options, nextNumber));
    await runAll(proofs, options);

    const [own, other = null] = proofs.map((proof) => proof.figures(cpus().length, ofSignature));
    if (own === undefined) throw new Error('Nothing was measured');
    const { emails, rounds, warm, seed, out, key } = options;
    const proof = signed(
      {
        format: 'postrider-proof/1',
        made_at: new Date().toISOString(),
        machine: machine(ofSignature),
        versions: { postfix: null, opendkim: null, ...postrider.versions, ...postfix?.versions },
        source: source(),
        settings: { seed, emails, rounds, warm, connections, email_bytes: mimeOf(nextNumber()).length },
        postgres_durability: postrider.durability,
        systems: { postrider: own, postfix_opendkim: other },
        why_no_postfix: whyNoPostfix,
        ratio: other === null ? null : ratioOf(own, other),
      },
      key,
    );
    const text = `${JSON.stringify(proof, undefined, 2)}\n`;
    if (out === undefined) process.stdout.write(text);
    else writeFileSync(out, text);
    console.log(sentence(own, other));
    if (own.totals.lost > 0) process.exitCode = 1;
  } finally {
    await Promise.all(systems.map((system) => system.stop()));
    await sink.stop();
  }
}

await main();
