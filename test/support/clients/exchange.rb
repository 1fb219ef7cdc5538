# Makes the requests of a plan as the Ruby client does, with the library that it uses.
#
# The base URL of the client ends with a slash. It tells errors by the key `statusCode` alone and reads answers by symbols.

require "httparty"
require "json"

base = "#{ENV.fetch("POSTRIDER_URL")}/"
headers = {
  "Content-Type" => "application/json",
  "Accept" => "application/json",
  "User-Agent" => "resend-ruby:1.0.0",
  "Authorization" => "Bearer #{ENV.fetch("POSTRIDER_KEY")}"
}
found = {}
JSON.parse($stdin.read).each do |step|
  path = step["path"].gsub(/\{(\w+)\}/) { found.fetch(Regexp.last_match(1)) }.delete_prefix("/")
  options = { headers: headers }
  body = step["body"]
  body = body.transform_values { |value| value.to_s.start_with?("@") ? found.fetch(value[1..]) : value } if body.is_a?(Hash)
  options[:body] = body.to_json if body
  # The client adds what identifies a thing to the query of lists.
  options[:query] = { email_id: "ignored" } if step["method"] == "GET"
  response = HTTParty.public_send(step["method"].downcase, base + path, options)
  answer = response.parsed_response.transform_keys(&:to_sym)
  status = answer.fetch(:statusCode, response.code)
  raise "#{path}: #{status} in an answer with #{response.code}" unless status == response.code
  values = step["reads"].to_h do |field|
    first, *rest = field.split(".")
    value = rest.reduce(answer.fetch(first.to_sym)) { |at, part| at.is_a?(Array) ? at.fetch(part.to_i) : at.fetch(part) }
    [field, value]
  end
  found[step["name"]] = answer[:id] if answer.key?(:id)
  puts [step["name"], response.code, values].to_json
end
