import { get } from 'node:http';
import { CertificateAuthority, CertificateStore } from '#certificates';
import type { HostCertificateView } from '#certificates';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';

const timeoutMs = 5_000;

/** With `TLS_ACME`: whether the authority answers, whether its questions do, and the certificates themselves. */
@Injectable()
export class CertificatesCheck extends DoctorCheck {
  readonly name = 'Certificates';

  constructor(
    private readonly config: Config,
    private readonly authority: CertificateAuthority,
    private readonly store: CertificateStore,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    if (this.config.values.tlsAcme === 'off') return [];
    const [authority, port, views] = await Promise.all([this.directory(), this.port(), this.store.views()]);
    return [authority, port, ...views.map(ofHost)];
  }

  private async directory(): Promise<DoctorFinding> {
    const { tlsAcmeDirectory: url } = this.config.values;
    if (!(await this.authority.isReachable())) {
      return red(`the directory ${url} does not answer`, 'Check TLS_ACME_DIRECTORY, and that this machine reaches it.');
    }
    if (!new URL(url).hostname.includes('staging')) return green(`the directory ${url} answers`);
    return yellow('are those of a staging directory', 'Nobody trusts them: set TLS_ACME_DIRECTORY=production.');
  }

  private async port(): Promise<DoctorFinding> {
    const { acmeHttpPort } = this.config.values;
    if (await listens(acmeHttpPort)) return green(`port ${acmeHttpPort} of this machine answers`);
    return yellow(
      `port ${acmeHttpPort} of this machine does not answer`,
      'The authority asks at port 80: start a process with the role api here, let it open the port, or lead it to one that does.',
    );
  }
}

function ofHost({ host, state, reason, notAfter, nextTryAt }: HostCertificateView): DoctorFinding {
  if (state === 'issued' && reason === null) return green(`valid until ${notAfter?.toISOString()}`, host);
  const fix = `It is tried again at ${nextTryAt.toISOString()}.`;
  if (state === 'pending') return yellow(reason ?? 'none was issued yet', fix, host);
  const text = reason ?? 'none could be issued';
  return state === 'issued' ? yellow(`was not renewed. ${text}`, fix, host) : red(text, fix, host);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const path = '/.well-known/acme-challenge/asked-by-the-doctor';
    const asked = get({ host: '127.0.0.1', port, path, timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 404);
    });
    asked.once('timeout', () => asked.destroy()).once('error', () => resolve(false));
  });
}
