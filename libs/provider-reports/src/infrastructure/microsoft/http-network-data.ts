import { OutboundHttp } from '#http/outbound';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { NetworkData } from '../../application/ports/provider-reports.port.js';
import { ProviderTrouble, SndsReport } from '../../domain/provider-report.js';
import { askProvider } from '../asked-provider.js';
import { readSndsActivity, readSndsBlocks } from './snds-csv.js';

const sndsUrl = 'https://sendersupport.olc.protection.outlook.com/snds';

const refused =
  'Microsoft refused SNDS_KEY: make a new link at "Automated Data Access" of SNDS, and set the key that it has';

/** The files of SNDS that a key opens ("automated data access"). */
@Injectable()
export class HttpNetworkData extends NetworkData {
  private readonly key: string | undefined;

  constructor(
    private readonly http: OutboundHttp,
    { values }: Config,
  ) {
    super();
    this.key = values.sndsKey;
  }

  get isConfigured(): boolean {
    return this.key !== undefined;
  }

  async read(): Promise<SndsReport> {
    return {
      activity: await this.file('data.aspx', readSndsActivity),
      blocks: await this.file('ipStatus.aspx', readSndsBlocks),
    };
  }

  private async file<Row>(name: string, read: (text: string) => Row[] | undefined): Promise<Row[]> {
    const url = `${sndsUrl}/${name}?key=${encodeURIComponent(this.key ?? '')}`;
    const { status, text } = await askProvider(this.http, 'Microsoft', { url });
    if (status === 204) return [];
    const asksToSignIn = (status >= 300 && status < 400) || /^\s*</.test(text.slice(0, 1_000));
    if (asksToSignIn || [400, 401, 403, 404].includes(status)) throw new ProviderTrouble(refused);
    if (status !== 200) throw new ProviderTrouble(`Microsoft answered with the status ${status}`);
    const rows = read(text);
    if (rows === undefined) throw new ProviderTrouble('Microsoft answered with something else than figures');
    return rows;
  }
}
