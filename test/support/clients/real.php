<?php
// Uses the PHP client itself, installed by Composer: RESEND_PHP_AUTOLOAD names its autoload file. It reads RESEND_BASE_URL.

require getenv('RESEND_PHP_AUTOLOAD');

$resend = Resend::client(getenv('RESEND_API_KEY'));
$email = ['from' => getenv('TEST_SENDER'), 'to' => ['ada@inbox.test'], 'html' => '<p>Hi</p>'];
$made = $resend->emails->send([...$email, 'subject' => 'From PHP']);
$read = $resend->emails->get($made->id);
$domains = $resend->domains->list();
try {
    $resend->emails->send($email);
    $refused = null;
} catch (Exception $error) {
    $refused = $error->getMessage();
}
echo json_encode([$read->subject, array_map(fn ($domain) => $domain->name, $domains->data), $refused]);
