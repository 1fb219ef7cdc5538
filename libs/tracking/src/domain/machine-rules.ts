/** One request for a pixel or a link. */
export interface Visit {
  readonly kind: 'open' | 'click';
  readonly method: string;
  /** Undefined if the request has no `User-Agent` header. */
  readonly userAgent: string | undefined;
  /** `Sec-Purpose`, `Purpose`, `X-Purpose` and `X-Moz` together, lower case. */
  readonly purpose: string;
}

/** Why a request counts as made by a machine. The values are stable, because customers filter by them. */
export type MachineReason =
  | 'head_request'
  | 'prefetch'
  | 'no_user_agent'
  | 'apple_mail_privacy'
  | 'security_scanner'
  | 'link_preview'
  | 'program'
  | 'before_delivery'
  | 'at_delivery'
  | 'burst';

export interface MachineRule {
  readonly reason: MachineReason;
  /** All given conditions must match. Without `kind` the rule is for opens and clicks. */
  readonly kind?: Visit['kind'];
  readonly method?: RegExp;
  readonly userAgent?: RegExp;
  readonly purpose?: RegExp;
  /** A request that this rule matches and no earlier one does. */
  readonly example: Partial<Visit>;
}

/**
 * Rules for a single request; the first rule that matches decides. Rules about time (a visit before or right at the
 * delivery, many links at once) follow below them.
 *
 * The image proxies of Gmail (`GoogleImageProxy`) and Yahoo (`YahooMailProxy`) are deliberately absent. They fetch when
 * a person opens the mail and hide only the person's identity and place. If they counted as machines, no reader with
 * these providers would be visible. Their fetches at the moment of delivery are recognised by the time. `ms-office` and
 * `Microsoft Outlook` are Outlook itself, used by a reader.
 *
 * The expressions are plain alternatives, so that they take linear time for every user agent.
 */
export const machineRules: readonly MachineRule[] = [
  { reason: 'head_request', method: /^HEAD$/, example: { method: 'HEAD' } },
  {
    // Fetch Metadata: Sec-Purpose; X-Moz of old Firefox; Purpose and X-Purpose of old Chrome and Safari.
    reason: 'prefetch',
    purpose: /prefetch|prerender|preview/,
    example: { purpose: 'prefetch' },
  },
  { reason: 'prefetch', purpose: /instant/, example: { purpose: 'instant' } },
  {
    // Mail Privacy Protection loads all pictures in advance, with exactly this user agent.
    reason: 'apple_mail_privacy',
    kind: 'open',
    userAgent: /^Mozilla\/5\.0$/,
    example: { kind: 'open', userAgent: 'Mozilla/5.0' },
  },
  {
    // No browser sends this user agent; several scanners do.
    reason: 'security_scanner',
    kind: 'click',
    userAgent: /^Mozilla\/[45]\.0$/,
    example: { kind: 'click', userAgent: 'Mozilla/5.0' },
  },
  {
    reason: 'security_scanner',
    userAgent: /barracuda|cudasvc/i,
    example: { userAgent: 'Mozilla/5.0 (compatible; BarracudaCentral; +https://www.barracudacentral.org)' },
  },
  {
    reason: 'security_scanner',
    userAgent: /proofpoint|urldefense/i,
    example: { userAgent: 'Mozilla/5.0 (compatible; Proofpoint URL Defense)' },
  },
  { reason: 'security_scanner', userAgent: /mimecast/i, example: { userAgent: 'Mimecast URL Protect' } },
  {
    reason: 'security_scanner',
    userAgent: /safelinks|microsoft office existence discovery|microsoft office protocol discovery/i,
    example: { userAgent: 'Microsoft Office Existence Discovery' },
  },
  {
    reason: 'security_scanner',
    userAgent: /ciscosecureemail|ironport|messagelabs|symantec|fireeye|trellix/i,
    example: { userAgent: 'CiscoSecureEmail/1.0' },
  },
  {
    reason: 'security_scanner',
    userAgent: /trend ?micro|\btmes\b|sophos|fortimail|fortinet|forcepoint|websense|virustotal|urlscan/i,
    example: { userAgent: 'Mozilla/5.0 (compatible; Sophos Email)' },
  },
  {
    reason: 'security_scanner',
    userAgent: /gmail-content-sampling|google-safety|googlesafebrowsing/i,
    example: {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Gmail-content-sampling',
    },
  },
  {
    reason: 'link_preview',
    userAgent: /slackbot|facebookexternal|twitterbot|linkedinbot|whatsapp|telegrambot|discordbot|skypeuripreview/i,
    example: { userAgent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  },
  {
    reason: 'link_preview',
    userAgent: /bingpreview|snap url preview|google-pagerenderer|iframely|embedly|mattermost-bot/i,
    example: {
      userAgent: 'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
    },
  },
  {
    reason: 'program',
    userAgent: /headlesschrome|phantomjs|puppeteer|playwright|selenium/i,
    example: {
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    },
  },
  {
    reason: 'program',
    userAgent:
      /^(?:curl|wget|python|aiohttp|httpx|go-http-client|java|apache-httpclient|libwww|lwp|ruby|php|guzzle|axios|node|undici|lua-resty|jetty|postmanruntime)/i,
    example: { userAgent: 'python-requests/2.31.0' },
  },
  {
    // Crawlers name themselves: `…bot/2.1`, `…spider`, `crawler`.
    reason: 'program',
    userAgent: /bot\b|spider|crawler|scanner|urlcheck|link ?check/i,
    example: { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  },
  { reason: 'no_user_agent', userAgent: /^\s*$/, example: { userAgent: '' } },
];

/** Undefined if the request may come from a reader. */
export function machineReason(visit: Visit): MachineReason | undefined {
  return machineRules.find((rule) => matches(rule, visit))?.reason;
}

export function matches({ kind, method, userAgent, purpose }: MachineRule, visit: Visit): boolean {
  return (
    (kind === undefined || kind === visit.kind) &&
    (method === undefined || method.test(visit.method)) &&
    (userAgent === undefined || userAgent.test(visit.userAgent ?? '')) &&
    (purpose === undefined || purpose.test(visit.purpose))
  );
}

/** No person is notified of new mail, opens it and finds a link within this time; a gateway that checks mail does. */
const minClickMs = 2_000;
const minOpenMs = 1_000;
/** Links of one email followed within this time of each other belong together. */
export const burstMs = 1_000;
/** No person follows this many different links at once. */
const minBurstLinks = 3;

/**
 * Classifies a visit by its time. A visit before the recorded delivery comes from a gateway that examines mail before it
 * accepts it. `deliveredAt` is undefined if the email is not delivered yet.
 */
export function reasonOfTime(kind: Visit['kind'], at: Date, deliveredAt: Date | undefined): MachineReason | undefined {
  if (deliveredAt === undefined) return 'before_delivery';
  const minMs = kind === 'click' ? minClickMs : minOpenMs;
  return at.getTime() - deliveredAt.getTime() < minMs ? 'at_delivery' : undefined;
}

/** Whether the links that one recipient followed within `burstMs` are too many for a person. */
export function isBurst(urls: readonly string[]): boolean {
  return new Set(urls).size >= minBurstLinks;
}
