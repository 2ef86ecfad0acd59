/** Which ports send to which, by their names: what the page's helper says, and what messages have shown. */
export class PortPairs {
  /** As they were made. */
  private readonly partners = new Map<string, string>();
  /** Ports that were given away, so that their messages come to one of another name. */
  private readonly moved = new Set<string>();
  private readonly closed = new Set<string>();
  /** Who has sent to a port last. */
  private readonly senders = new Map<string, string>();
  private readonly receivers = new Map<string, string>();

  /** These are the two ends of a channel. */
  connect(one: string, other: string): void {
    this.partners.set(one, other);
    this.partners.set(other, one);
  }

  /** The port was given away (`moved`) or `closed`. */
  left(what: string, port: string): void {
    (what === "moved" ? this.moved : this.closed).add(port);
  }

  /** A message of one has come to the other. */
  sends(sender: string, receiver: string): void {
    if (receiver === "") return;
    this.senders.set(receiver, sender);
    this.receivers.set(sender, receiver);
  }

  /** Who may send to a port that was woken by a message of `waking` (empty: of nobody known), the surest first. */
  sendersTo(receiver: string, waking: string): string[] {
    const partner = this.partners.get(receiver);
    const isSure = partner !== undefined && !this.moved.has(partner);
    const all = [isSure ? partner : "", waking, this.senders.get(receiver) ?? ""];
    return all.filter((name) => name !== "" && name !== receiver);
  }

  /**
   * Whether messages of one may come to the other, of which nothing is known so far: `no`, `maybe` where its partner may have
   * been given away without anybody saying so, or `yes`.
   */
  maySend(sender: string, receiver: string): "no" | "maybe" | "yes" {
    if (sender === receiver) return "no";
    const partner = this.partners.get(sender);
    const other = this.receivers.get(sender);
    if (partner === receiver && receiver !== "") return "yes";
    if (partner === undefined || this.moved.has(partner)) {
      const isFree = other === undefined || other === receiver || this.moved.has(other);
      return isFree ? "yes" : "no";
    }
    if (this.closed.has(partner)) return "no";
    return receiver === "" || other === undefined || other === receiver ? "maybe" : "no";
  }
}
