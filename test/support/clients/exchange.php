<?php
// Makes the requests of a plan as the PHP client does, with the library that it uses.
//
// The client sends `{}` where a request has no parameters, asks for strict batches, parses the body of every answer, and takes for an
// error only what has a name that it knows.

require '/usr/share/php/GuzzleHttp/autoload.php';

$client = new GuzzleHttp\Client(['base_uri' => getenv('POSTRIDER_URL'), 'http_errors' => false, 'timeout' => 60]);
$found = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $step) {
    $path = preg_replace_callback('/\{(\w+)\}/', fn ($match) => $found[$match[1]], $step['path']);
    $headers = [
        'Accept' => 'application/json',
        'Authorization' => 'Bearer ' . getenv('POSTRIDER_KEY'),
        'Content-Type' => 'application/json',
        'User-Agent' => 'resend-php/1.0.0',
    ];
    if ($path === '/emails/batch') {
        $headers['x-batch-validation'] = 'strict';
    }
    $options = ['headers' => $headers];
    foreach ($step['body'] ?? [] as $key => $value) {
        if (is_string($value) && str_starts_with($value, '@')) {
            $step['body'][$key] = $found[substr($value, 1)];
        }
    }
    if ($step['method'] === 'POST' || $step['method'] === 'PATCH') {
        $options['body'] = json_encode($step['body'] ?? new stdClass());
    }
    $response = $client->request($step['method'], $path, $options);
    $answer = json_decode((string) $response->getBody(), true, 512, JSON_THROW_ON_ERROR);
    $values = [];
    foreach ($step['reads'] as $field) {
        $value = $answer;
        foreach (explode('.', $field) as $part) {
            if (!array_key_exists($part, $value)) {
                throw new RuntimeException("$path answers without $field");
            }
            $value = $value[$part];
        }
        $values[$field] = $value;
    }
    if (isset($answer['id'])) {
        $found[$step['name']] = $answer['id'];
    }
    echo json_encode([$step['name'], $response->getStatusCode(), $values]), "\n";
}
