import { createSocket } from 'node:dgram';
import { Database } from '#postgres/database';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';

const timeoutMs = 5_000;
/** Seconds between the epochs of NTP (1900) and Unix. */
const ntpEpoch = 2_208_988_800;
const maxGreenMs = 2_000;
const maxYellowMs = 60_000;

/** With a wrong clock, mail and signatures may be dated in the future, and receivers refuse them. */
@Injectable()
export class ClockCheck extends DoctorCheck {
  readonly name = 'Clock';

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    return [await this.againstTimeServers(), await this.againstDatabase()];
  }

  private async againstTimeServers(): Promise<DoctorFinding> {
    for (const { host, port } of this.config.values.doctorTimeServers) {
      const offset = await offsetOf(host, port);
      if (offset !== undefined) return findingFor(offset, `${host}:${port}`);
    }
    return yellow('no time server responded', 'Let this machine reach a time server, or set DOCTOR_TIME_SERVERS.');
  }

  /** Compares with the database's clock, which the processes of all machines share. */
  private async againstDatabase(): Promise<DoctorFinding> {
    const before = Date.now();
    const [row] = await this.database.query<{ now: Date }>({ text: 'SELECT clock_timestamp() AS now' });
    const middle = (before + Date.now()) / 2;
    return findingFor((row?.now.getTime() ?? middle) - middle, 'the database');
  }
}

function findingFor(offsetMs: number, subject: string): DoctorFinding {
  const seconds = (Math.abs(offsetMs) / 1_000).toFixed(1);
  const fix = 'Have the clock of this machine set by NTP (systemd-timesyncd, chrony).';
  if (Math.abs(offsetMs) <= maxGreenMs) return green(`differs by ${seconds} s`, subject);
  const text = `differs by ${seconds} s`;
  return Math.abs(offsetMs) > maxYellowMs ? red(text, fix, subject) : yellow(text, fix, subject);
}

/** By how much the server's clock is ahead, from one SNTP request (RFC 4330); undefined without a response. */
function offsetOf(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (offset: number | undefined): void => {
      clearTimeout(timer);
      socket.close();
      resolve(offset);
    };
    const timer = setTimeout(() => end(undefined), timeoutMs);
    const sentAt = Date.now();
    socket.once('error', () => end(undefined));
    socket.once('message', (response) => {
      if (response.length < 48) return end(undefined);
      const seconds = response.readUInt32BE(40) + response.readUInt32BE(44) / 2 ** 32;
      end((seconds - ntpEpoch) * 1_000 - (sentAt + Date.now()) / 2);
    });
    const request = Buffer.alloc(48);
    request[0] = 0x23;
    socket.send(request, port, host, (error) => {
      if (error !== null) end(undefined);
    });
  });
}
