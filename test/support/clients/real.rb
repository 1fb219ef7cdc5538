# Uses the Ruby client itself. It reads its base URL, with a slash at the end, from RESEND_BASE_URL when it is loaded.

require "json"
require "resend"

Resend.api_key = ENV.fetch("RESEND_API_KEY")
sender = ENV.fetch("TEST_SENDER")
made = Resend::Emails.send(from: sender, to: ["ada@inbox.test"], subject: "From Ruby", html: "<p>Hi</p>")
email = Resend::Emails.get(made[:id])
domains = Resend::Domains.list
begin
  Resend::Emails.send(from: sender, to: ["ada@inbox.test"], html: "<p>Hi</p>")
  refused = nil
rescue Resend::Error => e
  refused = e.message
end
puts [email[:subject], domains[:data].map { |domain| domain["name"] }, refused].to_json
