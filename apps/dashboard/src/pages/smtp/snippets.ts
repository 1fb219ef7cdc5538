export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly implicitTls: boolean;
  /** For a program that knows only STARTTLS. */
  readonly startTlsPort: number | undefined;
  readonly from: string;
}

export interface Snippet {
  readonly id: string;
  readonly name: string;
  readonly code: (settings: SmtpSettings) => string;
}

/** Ready-made settings. The password is always the variable `POSTRIDER_API_KEY`. */
export const snippets: readonly Snippet[] = [
  {
    id: 'nodemailer',
    name: 'Node.js (Nodemailer)',
    code: ({ host, port, implicitTls, from }) => `import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({
  host: '${host}',
  port: ${port},
  secure: ${implicitTls},
  requireTLS: true,
  auth: { user: 'resend', pass: process.env.POSTRIDER_API_KEY },
});
await transport.sendMail({
  from: '${from}',
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'It works.',
});`,
  },
  {
    id: 'django',
    name: 'Django',
    code: ({ host, port, implicitTls, from }) => `# settings.py
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
EMAIL_HOST_USER = "resend"
EMAIL_HOST_PASSWORD = os.environ["POSTRIDER_API_KEY"]
${implicitTls ? 'EMAIL_USE_SSL = True' : 'EMAIL_USE_TLS = True'}
DEFAULT_FROM_EMAIL = "${from}"`,
  },
  {
    id: 'rails',
    name: 'Ruby on Rails',
    code: ({ host, port, implicitTls }) => `# config/environments/production.rb
config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  user_name: "resend",
  password: ENV.fetch("POSTRIDER_API_KEY"),
  authentication: :plain,
  ${implicitTls ? 'tls: true' : 'enable_starttls: true'}
}`,
  },
  {
    id: 'laravel',
    name: 'Laravel',
    code: ({ host, port, implicitTls, from }) => `# .env
MAIL_MAILER=smtp
MAIL_SCHEME=${implicitTls ? 'smtps' : 'smtp'}
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=resend
MAIL_PASSWORD="\${POSTRIDER_API_KEY}"
MAIL_FROM_ADDRESS="${from}"`,
  },
  {
    id: 'symfony',
    name: 'Symfony',
    code: ({ host, port, implicitTls }) => `# .env
MAILER_DSN=${implicitTls ? 'smtps' : 'smtp'}://resend:$POSTRIDER_API_KEY@${host}:${port}`,
  },
  {
    id: 'wordpress',
    name: 'WordPress',
    code: ({ host, port, implicitTls }) => `// wp-config.php, or the settings of an SMTP plugin
add_action('phpmailer_init', function ($mailer) {
    $mailer->isSMTP();
    $mailer->Host = '${host}';
    $mailer->Port = ${port};
    $mailer->SMTPAuth = true;
    $mailer->SMTPSecure = '${implicitTls ? 'ssl' : 'tls'}';
    $mailer->Username = 'resend';
    $mailer->Password = getenv('POSTRIDER_API_KEY');
});`,
  },
  {
    id: 'spring',
    name: 'Spring Boot',
    code: ({ host, port, implicitTls }) => `# application.properties
spring.mail.host=${host}
spring.mail.port=${port}
spring.mail.username=resend
spring.mail.password=\${POSTRIDER_API_KEY}
spring.mail.properties.mail.smtp.auth=true
spring.mail.properties.mail.smtp.${implicitTls ? 'ssl.enable' : 'starttls.required'}=true`,
  },
  {
    id: 'dotnet',
    name: '.NET (MailKit)',
    code: ({ host, port, implicitTls, from }) => `using MailKit.Net.Smtp;
using MailKit.Security;
using MimeKit;

var message = new MimeMessage();
message.From.Add(MailboxAddress.Parse("${from}"));
message.To.Add(MailboxAddress.Parse("ada@example.org"));
message.Subject = "Hello";
message.Body = new TextPart("plain") { Text = "It works." };

using var client = new SmtpClient();
await client.ConnectAsync("${host}", ${port}, SecureSocketOptions.${implicitTls ? 'SslOnConnect' : 'StartTls'});
await client.AuthenticateAsync("resend", Environment.GetEnvironmentVariable("POSTRIDER_API_KEY"));
await client.SendAsync(message);`,
  },
  {
    id: 'go',
    name: 'Go',
    code: ({ host, port, startTlsPort, from }) => `package main

import (
	"net/smtp"
	"os"
)

func main() {
	auth := smtp.PlainAuth("", "resend", os.Getenv("POSTRIDER_API_KEY"), "${host}")
	message := []byte("Subject: Hello\\r\\n\\r\\nIt works.\\r\\n")
	err := smtp.SendMail("${host}:${startTlsPort ?? port}", auth, "${from}", []string{"ada@example.org"}, message)
	if err != nil {
		panic(err)
	}
}`,
  },
  {
    id: 'python',
    name: 'Python',
    code: ({ host, port, implicitTls, from }) => `import os, smtplib
from email.message import EmailMessage

message = EmailMessage()
message["From"] = "${from}"
message["To"] = "ada@example.org"
message["Subject"] = "Hello"
message.set_content("It works.")

with smtplib.${implicitTls ? 'SMTP_SSL' : 'SMTP'}("${host}", ${port}) as smtp:
${implicitTls ? '' : '    smtp.starttls()\n'}    smtp.login("resend", os.environ["POSTRIDER_API_KEY"])
    smtp.send_message(message)`,
  },
  {
    id: 'phoenix',
    name: 'Phoenix (Swoosh)',
    code: ({ host, port, implicitTls }) => `# config/runtime.exs
config :my_app, MyApp.Mailer,
  adapter: Swoosh.Adapters.SMTP,
  relay: "${host}",
  port: ${port},
  username: "resend",
  password: System.fetch_env!("POSTRIDER_API_KEY"),
  auth: :always,
  ${implicitTls ? 'ssl: true' : 'tls: :always'}`,
  },
  {
    id: 'postfix',
    name: 'Postfix',
    code: ({ host, port, implicitTls }) => `# /etc/postfix/main.cf
relayhost = [${host}]:${port}
smtp_sasl_auth_enable = yes
smtp_sasl_security_options = noanonymous
smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd
smtp_tls_security_level = encrypt${implicitTls ? '\nsmtp_tls_wrappermode = yes' : ''}

# /etc/postfix/sasl_passwd, then: postmap /etc/postfix/sasl_passwd
[${host}]:${port} resend:<API key>`,
  },
];
