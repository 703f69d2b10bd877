export function FeedbackPage() {
  return null;
}
