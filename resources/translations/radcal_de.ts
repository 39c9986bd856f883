<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>about</name>
    <message>
        <source>About RadCal</source>
        <translation>Über RadCal</translation>
    </message>
    <message>
        <source>Versions and licences</source>
        <translation>Versionen und Lizenzen</translation>
    </message>
    <message>
        <source>C&amp;opy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Do radiologists’ certainty words mean what readers take them to mean? Measured against CT, on this computer alone: nothing leaves it. RadCal describes words. It is no medical device and no basis for decisions about a patient or a radiologist.</source>
        <translation>Bedeuten die Wörter, mit denen Befundende Sicherheit ausdrücken, was Leserinnen und Leser darunter verstehen? Gemessen an der CT, allein auf diesem Computer: Nichts verlässt ihn. RadCal beschreibt Wörter. Es ist kein Medizinprodukt und keine Grundlage für Entscheidungen über Patienten oder über Befundende.</translation>
    </message>
    <message>
        <source>Licence: Apache-2.0; the bundled font Inter: OFL-1.1</source>
        <translation>Lizenz: Apache-2.0; die mitgelieferte Schrift Inter: OFL-1.1</translation>
    </message>
</context>
<context>
    <name>advice</name>
    <message>
        <source>Least error of the whole plan</source>
        <translation>Kleinster Gesamtfehler</translation>
    </message>
    <message>
        <source>As published (transport)</source>
        <translation>Wie veröffentlicht (Transport)</translation>
    </message>
    <message>
        <source>&amp;Method</source>
        <translation>&amp;Verfahren</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Pr&amp;ice of lost information</source>
        <translation>Pre&amp;is verlorener Information</translation>
    </message>
    <message>
        <source>Merging words tells the clinician less. The higher the price, the fewer words are merged.</source>
        <translation>Zusammengelegte Wörter sagen der Klinik weniger. Je höher der Preis, desto weniger Wörter werden zusammengelegt.</translation>
    </message>
    <message>
        <source>Price of another &amp;use of words (tau2)</source>
        <translation>Preis geänderter Wort&amp;wahl (tau2)</translation>
    </message>
    <message>
        <source>The published method: the higher, the closer tomorrow’s words stay to today’s.</source>
        <translation>Das veröffentlichte Verfahren: je höher, desto näher bleiben die Wörter von morgen denen von heute.</translation>
    </message>
    <message>
        <source>Most s&amp;teps up or down the scale</source>
        <translation>Hö&amp;chstens so viele Stufen auf oder ab</translation>
    </message>
    <message>
        <source>How far from a word its replacement may lie, in words of the scale.</source>
        <translation>Wie weit ein Ersatz vom bisherigen Wort entfernt liegen darf, in Wörtern der Skala.</translation>
    </message>
    <message>
        <source>&amp;Fewest uses of a word</source>
        <translation>&amp;Mindestzahl der Verwendungen</translation>
    </message>
    <message>
        <source>A word that was said less often than this gets no advice.</source>
        <translation>Zu einem Wort, das seltener verwendet wurde, gibt es keine Empfehlung.</translation>
    </message>
    <message>
        <source>Use these for &amp;all</source>
        <translation>Für &amp;alle übernehmen</translation>
    </message>
    <message>
        <source>R&amp;eset</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>Try other settings</source>
        <translation>Andere Einstellungen ausprobieren</translation>
    </message>
    <message>
        <source>The workspace is open to read only: settings cannot be changed here.</source>
        <translation>Der Arbeitsbereich ist schreibgeschützt geöffnet: Einstellungen können hier nicht geändert werden.</translation>
    </message>
    <message>
        <source>Make these the department’s settings: all advice is worked out again.</source>
        <translation>Als Einstellungen der Abteilung übernehmen: Alle Empfehlungen werden neu berechnet.</translation>
    </message>
    <message>
        <source>Tried here only. Pages and PDFs still use the department’s settings.</source>
        <translation>Nur hier ausprobiert. Seiten und PDFs verwenden weiterhin die Einstellungen der Abteilung.</translation>
    </message>
    <message>
        <source>These are the department’s settings.</source>
        <translation>Dies sind die Einstellungen der Abteilung.</translation>
    </message>
    <message>
        <source>No advice on {n} words; the reason of each stands in Words.</source>
        <translation>Keine Empfehlung zu {n} Wörtern; die Gründe stehen unter „Wörter“.</translation>
    </message>
    <message>
        <source>{share} of resamples say the same.</source>
        <translation>{share} der Bootstrap-Stichproben sagen dasselbe.</translation>
    </message>
    <message>
        <source>Being tried on findings kept aside and in resamples; it may still be withheld.</source>
        <translation>Wird an zurückgehaltenen Befunden und in Bootstrap-Stichproben geprüft; die Empfehlung kann noch entfallen.</translation>
    </message>
    <message>
        <source>On {halves} random halves kept aside: ECE {before} before, {after} after, lower in {lower} of {halves}. The brackets hold 9 in 10 halves.</source>
        <translation>An {halves} zufällig zurückgehaltenen Hälften: ECE {before} vorher, {after} nachher, niedriger in {lower} von {halves}. Die Klammern enthalten 9 von 10 Hälften.</translation>
    </message>
    <message>
        <source>word</source>
        <translation>Wort</translation>
    </message>
    <message>
        <source>said</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>say instead</source>
        <translation>stattdessen</translation>
    </message>
    <message>
        <source>confirmed, 95 %</source>
        <translation>bestätigt, 95&#xa0;%</translation>
    </message>
    <message>
        <source>meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>stable</source>
        <translation>stabil</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>How often CT confirmed it, with its 95 % interval</source>
        <translation>Wie oft die CT den Befund bestätigte, mit 95-%-Intervall</translation>
    </message>
    <message>
        <source>What readers take the word to mean</source>
        <translation>Was unter dem Wort verstanden wird</translation>
    </message>
    <message>
        <source>The share of bootstrap resamples that advise the same direction</source>
        <translation>Anteil der Bootstrap-Stichproben, die dieselbe Richtung empfehlen</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>matches what readers take it to mean</source>
        <translation>bedeutet, was darunter verstanden wird</translation>
    </message>
    <message>
        <source>{word} in {share}</source>
        <translation>{word} {share}</translation>
    </message>
    <message>
        <source>try other settings</source>
        <translation>andere Einstellungen ausprobieren</translation>
    </message>
    <message>
        <source>use these settings for all</source>
        <translation>diese Einstellungen für alle übernehmen</translation>
    </message>
    <message>
        <source>Views of the advice</source>
        <translation>Ansichten der Empfehlungen</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>Vorher und nachher</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Price of information</source>
        <translation>Preis der Information</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>From the words of today to those of tomorrow</source>
        <translation>Von den Wörtern von heute zu denen von morgen</translation>
    </message>
    <message>
        <source>What is advised</source>
        <translation>Was empfohlen wird</translation>
    </message>
    <message>
        <source>The whole plan that was found</source>
        <translation>Der ganze gefundene Plan</translation>
    </message>
    <message>
        <source>Words that match are not advised to be changed, even where the plan with the least error would.</source>
        <translation>Bei Wörtern, die zutreffen, wird keine Änderung empfohlen, auch wenn der Plan mit dem kleinsten Fehler sie ändern würde.</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>Zei&amp;gen</translation>
    </message>
    <message>
        <source>Which plan to show</source>
        <translation>Welcher Plan gezeigt wird</translation>
    </message>
    <message>
        <source>Point at a band, or press Up and Down on it, to read its numbers.</source>
        <translation>Zeigen Sie auf ein Band, oder drücken Sie darauf Auf und Ab, um die Zahlen zu lesen.</translation>
    </message>
    <message>
        <source>As the words were said</source>
        <translation>Wie die Wörter verwendet wurden</translation>
    </message>
    <message>
        <source>As advised</source>
        <translation>Wie empfohlen</translation>
    </message>
    <message>
        <source>Words and advice</source>
        <translation>Wörter und Empfehlungen</translation>
    </message>
    <message>
        <source>Press Enter on a word to read the findings behind it.</source>
        <translation>Mit der Eingabetaste auf einem Wort lesen Sie die Befunde dahinter.</translation>
    </message>
    <message>
        <source>What one substitution does to ECE, per use</source>
        <translation>Was eine Ersetzung am ECE ändert, je Verwendung</translation>
    </message>
    <message>
        <source>Point at a cell, or use the arrow keys on it, to read it in words.</source>
        <translation>Zeigen Sie auf ein Feld, oder bewegen Sie sich mit den Pfeiltasten, um es in Worten zu lesen.</translation>
    </message>
    <message>
        <source>Open a workspace to see which words would have served better.</source>
        <translation>Öffnen Sie einen Arbeitsbereich, um zu sehen, welche Wörter besser gepasst hätten.</translation>
    </message>
    <message>
        <source>No X-ray finding has met a CT report yet.</source>
        <translation>Noch ist kein Röntgenbefund mit einem CT-Bericht zusammengekommen.</translation>
    </message>
    <message>
        <source>There is nothing to give advice on. {why}</source>
        <translation>Es gibt nichts, wozu etwas empfohlen werden könnte. {why}</translation>
    </message>
    <message>
        <source>&amp;Import reports</source>
        <translation>Berichte &amp;importieren</translation>
    </message>
    <message>
        <source>Choose a radiologist and a pathology above.</source>
        <translation>Wählen Sie oben Person und Pathologie.</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Which words would have said what CT found, and what that would change.</source>
        <translation>Welche Wörter gesagt hätten, was die CT zeigte, und was sich damit ändern würde.</translation>
    </message>
    <message>
        <source>The advice could not be worked out.</source>
        <translation>Die Empfehlung konnte nicht berechnet werden.</translation>
    </message>
    <message>
        <source>Saving the settings</source>
        <translation>Einstellungen speichern</translation>
    </message>
    <message>
        <source>Working out all advice again</source>
        <translation>Alle Empfehlungen neu berechnen</translation>
    </message>
    <message>
        <source>On the {n} findings that the advice was made from: ECE {before} as they were worded, {after} as advised.</source>
        <translation>An den {n} Befunden, aus denen die Empfehlung entstand: ECE {before} wie formuliert, {after} wie empfohlen.</translation>
    </message>
    <message>
        <source>Click a point, or choose it with Left, Right and Enter, to try its price.</source>
        <translation>Klicken Sie auf einen Punkt, oder wählen Sie ihn mit Links, Rechts und der Eingabetaste, um seinen Preis auszuprobieren.</translation>
    </message>
    <message>
        <source>Trying other prices on findings kept aside…</source>
        <translation>Andere Preise werden an zurückgehaltenen Befunden ausprobiert&#xa0;…</translation>
    </message>
    <message>
        <source>No plan can be tried. {why}</source>
        <translation>Es kann kein Plan ausprobiert werden. {why}</translation>
    </message>
    <message>
        <source>All findings came out alike, so that there is no information to keep or to lose.</source>
        <translation>Alle Befunde gingen gleich aus, sodass keine Information zu erhalten oder zu verlieren ist.</translation>
    </message>
    <message>
        <source>Every price leads to the same plan here, tried on halves kept aside.</source>
        <translation>Jeder Preis führt hier zum selben Plan, ausprobiert an zurückgehaltenen Hälften.</translation>
    </message>
    <message>
        <source>Words that are merged tell less about the outcome. Each mark is a price of lost information, tried on halves of the findings that its plan was not made from; its bar holds 9 in 10 of them.</source>
        <translation>Zusammengelegte Wörter sagen weniger über das Ergebnis. Jede Marke ist ein Preis verlorener Information, ausprobiert an Hälften der Befunde, aus denen der Plan nicht entstand; ihr Balken enthält 9 von 10 davon.</translation>
    </message>
    <message>
        <source>Calibration against information kept</source>
        <translation>Kalibrierungsfehler gegen erhaltene Information</translation>
    </message>
    <message>
        <source>{word}  ({n})</source>
        <translation>{word}  ({n})</translation>
    </message>
    <message>
        <source> of 10</source>
        <translation> von 10</translation>
    </message>
    <message>
        <source>Change {n}: the word that was said</source>
        <translation>Änderung {n}: das bisherige Wort</translation>
    </message>
    <message>
        <source>Change {n}: the word to say instead</source>
        <translation>Änderung {n}: das Wort stattdessen</translation>
    </message>
    <message>
        <source>Change {n}: in how many of 10 cases</source>
        <translation>Änderung {n}: in wie vielen von 10 Fällen</translation>
    </message>
    <message>
        <source>Change {n}: in how many of 10 cases, as a slider</source>
        <translation>Änderung {n}: in wie vielen von 10 Fällen, als Schieberegler</translation>
    </message>
    <message>
        <source>Remove this change</source>
        <translation>Diese Änderung entfernen</translation>
    </message>
    <message>
        <source>Remove change {n}</source>
        <translation>Änderung {n} entfernen</translation>
    </message>
    <message>
        <source>Instead of</source>
        <translation>Statt</translation>
    </message>
    <message>
        <source>say</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>A&amp;dd a change</source>
        <translation>Än&amp;derung hinzufügen</translation>
    </message>
    <message>
        <source>Start from the ad&amp;vice</source>
        <translation>Von der &amp;Empfehlung ausgehen</translation>
    </message>
    <message>
        <source>Reset the chan&amp;ges</source>
        <translation>Änderungen ver&amp;werfen</translation>
    </message>
    <message>
        <source>Drag a band to the word that you would say instead, or the grip between two bands to say in how many of 10 cases; see what follows.</source>
        <translation>Ziehen Sie ein Band zu dem Wort, das Sie stattdessen sagen würden, oder den Griff zwischen zwei Bändern, um zu sagen, in wie vielen von 10 Fällen; Sie sehen, was daraus folgt.</translation>
    </message>
    <message>
        <source>The words as you changed them</source>
        <translation>Die Wörter, wie Sie sie geändert haben</translation>
    </message>
    <message>
        <source>By keyboard: Up and Down choose a band, Left and Right say in how many of 10 cases, Shift with Up or Down takes it to another word, Delete takes it back.</source>
        <translation>Mit der Tastatur: Auf und Ab wählen ein Band, Links und Rechts sagen, in wie vielen von 10 Fällen, Umschalt mit Auf oder Ab bringt es zu einem anderen Wort, Entf nimmt es zurück.</translation>
    </message>
    <message>
        <source>As you changed them</source>
        <translation>Wie von Ihnen geändert</translation>
    </message>
    <message>
        <source>add a change</source>
        <translation>Änderung hinzufügen</translation>
    </message>
    <message>
        <source>start from the advice</source>
        <translation>von der Empfehlung ausgehen</translation>
    </message>
    <message>
        <source>reset the changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>change the use of a word</source>
        <translation>Verwendung eines Wortes ändern</translation>
    </message>
    <message>
        <source>remove a change</source>
        <translation>Änderung entfernen</translation>
    </message>
    <message>
        <source>The changes of a word come to more than 10 of 10 cases. Lower one.</source>
        <translation>Die Änderungen eines Wortes ergeben mehr als 10 von 10 Fällen. Verringern Sie eine.</translation>
    </message>
    <message>
        <source>ECE {before} as the words were said, on these {n} findings.</source>
        <translation>ECE {before} mit den Wörtern, wie sie gesagt wurden, an diesen {n} Befunden.</translation>
    </message>
    <message>
        <source>ECE {before} before, {after} after, on these {n} findings.</source>
        <translation>ECE {before} vorher, {after} nachher, an diesen {n} Befunden.</translation>
    </message>
    <message>
        <source>Words and findings come closer: {change}.</source>
        <translation>Wörter und Befunde kommen einander näher: {change}.</translation>
    </message>
    <message>
        <source>Words and findings move apart: {change}.</source>
        <translation>Wörter und Befunde rücken auseinander: {change}.</translation>
    </message>
    <message>
        <source>That may be chance: {change}.</source>
        <translation>Das kann Zufall sein: {change}.</translation>
    </message>
    <message>
        <source>{share} of what the words tell about the outcome is kept.</source>
        <translation>{share} dessen, was die Wörter über das Ergebnis sagen, bleiben erhalten.</translation>
    </message>
    <message>
        <source>{change} ({low} to {high})</source>
        <translation>{change} ({low} bis {high})</translation>
    </message>
    <message>
        <source>{weaker} above {stronger}</source>
        <translation>{weaker} über {stronger}</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>⚠ The order of words would turn: {pairs}.</source>
        <translation>⚠ Die Reihenfolge der Wörter würde sich umkehren: {pairs}.</translation>
    </message>
    <message>
        <source>⚠ A plain statement would become its opposite: {source} said as {target}.</source>
        <translation>⚠ Eine eindeutige Aussage würde zu ihrem Gegenteil: {target} statt {source}.</translation>
    </message>
    <message>
        <source>⚠ Not among the department’s allowed words: {words}.</source>
        <translation>⚠ Nicht unter den zulässigen Wörtern der Abteilung: {words}.</translation>
    </message>
</context>
<context>
    <name>columns</name>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>–</source>
        <translation>–</translation>
    </message>
    <message>
        <source>choose a column…</source>
        <translation>Spalte wählen …</translation>
    </message>
    <message>
        <source>Column of {what}</source>
        <translation>Spalte: {what}</translation>
    </message>
</context>
<context>
    <name>compare</name>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Radiologists</source>
        <translation>Befundende</translation>
    </message>
    <message>
        <source>&amp;Side by side</source>
        <translation>&amp;Nebeneinander</translation>
    </message>
    <message>
        <source>F&amp;unnel</source>
        <translation>&amp;Trichter</translation>
    </message>
    <message>
        <source>Over &amp;time</source>
        <translation>&amp;Zeitverlauf</translation>
    </message>
    <message>
        <source>Ta&amp;ble</source>
        <translation>Ta&amp;belle</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Everything that was hedged, by its calibration error; or one phrase, by its rate</source>
        <translation>Alles vorsichtig Formulierte, nach seinem Kalibrierungsfehler; oder eine Formulierung, nach ihrem bestätigten Anteil</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>by name</source>
        <translation>nach Namen</translation>
    </message>
    <message>
        <source>by number of findings</source>
        <translation>nach Zahl der Befunde</translation>
    </message>
    <message>
        <source>Show &amp;names</source>
        <translation>Na&amp;men zeigen</translation>
    </message>
    <message>
        <source>Real names in place of pseudonyms, until you leave this page or untick this</source>
        <translation>Echte Namen statt Pseudonymen, bis Sie diese Seite verlassen oder das Häkchen entfernen</translation>
    </message>
    <message>
        <source>&amp;Words</source>
        <translation>&amp;Wörter</translation>
    </message>
    <message>
        <source>&amp;Order</source>
        <translation>&amp;Reihenfolge</translation>
    </message>
    <message>
        <source>Radiologist</source>
        <translation>Befundende Person</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>by quarter</source>
        <translation>nach Quartalen</translation>
    </message>
    <message>
        <source>by month</source>
        <translation>nach Monaten</translation>
    </message>
    <message>
        <source>&amp;Feedback was given on</source>
        <translation>Rückmeldung &amp;gegeben am</translation>
    </message>
    <message>
        <source>Day on which feedback was given</source>
        <translation>Tag, an dem die Rückmeldung gegeben wurde</translation>
    </message>
    <message>
        <source>Rad&amp;iologist</source>
        <translation>B&amp;efundende Person</translation>
    </message>
    <message>
        <source>P&amp;eriod</source>
        <translation>Zeitra&amp;um</translation>
    </message>
    <message>
        <source>own findings, {coverage}</source>
        <translation>eigene Befunde, {coverage}</translation>
    </message>
    <message>
        <source>seen together with all others, {coverage}</source>
        <translation>zusammen mit allen anderen betrachtet, {coverage}</translation>
    </message>
    <message>
        <source>mean, {coverage}</source>
        <translation>Mittel, {coverage}</translation>
    </message>
    <message>
        <source>Over time: {topic}, {what}, {who}</source>
        <translation>Zeitverlauf: {topic}, {what}, {who}</translation>
    </message>
    <message>
        <source>each period, {coverage}</source>
        <translation>jeder Zeitraum, {coverage}</translation>
    </message>
    <message>
        <source>all before and all after, {coverage}</source>
        <translation>alles vorher und alles nachher, {coverage}</translation>
    </message>
    <message>
        <source>This workspace is open to read only, so no date can be kept in it.</source>
        <translation>Dieser Arbeitsbereich ist schreibgeschützt geöffnet, sodass kein Datum darin aufbewahrt werden kann.</translation>
    </message>
    <message>
        <source>Open a workspace to compare radiologists.</source>
        <translation>Öffnen Sie einen Arbeitsbereich, um Befundende zu vergleichen.</translation>
    </message>
    <message>
        <source>There is nothing to compare yet.</source>
        <translation>Noch gibt es nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>Go to &amp;import</source>
        <translation>Zum &amp;Import</translation>
    </message>
    <message>
        <source>Compare – {topic}</source>
        <translation>Vergleich – {topic}</translation>
    </message>
    <message>
        <source>all that was hedged ({n})</source>
        <translation>alles vorsichtig Formulierte ({n})</translation>
    </message>
    <message>
        <source>{phrase} ({n})</source>
        <translation>{phrase} ({n})</translation>
    </message>
    <message>
        <source>all radiologists</source>
        <translation>alle Befundenden</translation>
    </message>
    <message>
        <source>Side by side: {what}</source>
        <translation>Nebeneinander: {what}</translation>
    </message>
    <message>
        <source>as readers take it</source>
        <translation>wie es verstanden wird</translation>
    </message>
    <message>
        <source>luck alone</source>
        <translation>reiner Zufall</translation>
    </message>
    <message>
        <source>Funnel: {what}</source>
        <translation>Trichter: {what}</translation>
    </message>
    <message>
        <source>chance puts 95 of 100 within</source>
        <translation>Durch Zufall liegen 95 von 100 darin</translation>
    </message>
    <message>
        <source>998 of 1,000 within</source>
        <translation>998 von 1.000 darin</translation>
    </message>
    <message>
        <source>Change when feedback was given</source>
        <translation>Veränderung mit der Rückmeldung</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft&#xa0;…</translation>
    </message>
    <message>
        <source>Point at the picture, or use the arrow keys on it, to read its numbers.</source>
        <translation>Zeigen Sie auf das Bild, oder bewegen Sie sich mit den Pfeiltasten darin, um seine Zahlen zu lesen.</translation>
    </message>
    <message>
        <source>all that was hedged</source>
        <translation>alles vorsichtig Formulierte</translation>
    </message>
    <message>
        <source>Radiologists are ordered by name or by n, never by their values.</source>
        <translation>Befundende sind nach Namen oder nach n geordnet, nie nach ihren Werten.</translation>
    </message>
    <message>
        <source>radiologist</source>
        <translation>befundende Person</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>ECE*, {coverage}</source>
        <translation>ECE*, {coverage}</translation>
    </message>
    <message>
        <source>rate, {coverage}</source>
        <translation>Anteil, {coverage}</translation>
    </message>
    <message>
        <source>together with all, {coverage}</source>
        <translation>zusammen mit allen, {coverage}</translation>
    </message>
    <message>
        <source>same words, everybody’s rates</source>
        <translation>dieselben Wörter, Raten aller</translation>
    </message>
    <message>
        <source>all others, {coverage}</source>
        <translation>alle anderen, {coverage}</translation>
    </message>
    <message>
        <source>in the funnel</source>
        <translation>im Trichter</translation>
    </message>
    <message>
        <source>not enough data</source>
        <translation>nicht genug Daten</translation>
    </message>
    <message>
        <source>{rate}, n = {n}</source>
        <translation>{rate}, n = {n}</translation>
    </message>
    <message>
        <source>Too few findings on this pathology.</source>
        <translation>Zu wenige Befunde zu dieser Pathologie.</translation>
    </message>
    <message>
        <source>Too few of the findings are hedged.</source>
        <translation>Zu wenige der Befunde sind vorsichtig formuliert.</translation>
    </message>
    <message>
        <source>No resamples are drawn, so there is no interval. See Settings.</source>
        <translation>Es werden keine Bootstrap-Stichproben gezogen, daher gibt es kein Intervall. Siehe Einstellungen.</translation>
    </message>
    <message>
        <source>{outside} of {n} radiologists lie outside the 95 % limits of chance; chance alone would put about {expected} there.</source>
        <translation>{outside} von {n} befundenden Personen liegen außerhalb der 95-%-Grenzen des Zufalls; Zufall allein brächte etwa {expected} dorthin.</translation>
    </message>
    <message>
        <source>Nobody hedged here. Choose another pathology, or a phrase beside Words.</source>
        <translation>Niemand hat hier vorsichtig formuliert. Wählen Sie eine andere Pathologie oder bei „Wörter“ eine Formulierung.</translation>
    </message>
    <message>
        <source>Nobody used {phrase} here.</source>
        <translation>Niemand hat hier {phrase} verwendet.</translation>
    </message>
    <message>
        <source>One radiologist used {phrase}; a comparison needs two.</source>
        <translation>Eine Person hat {phrase} verwendet; ein Vergleich braucht zwei.</translation>
    </message>
    <message>
        <source>One radiologist has enough findings; a comparison needs two, with {n} findings each, {hedges} of them hedged.</source>
        <translation>Eine Person hat genug Befunde; ein Vergleich braucht zwei, mit je {n} Befunden, davon {hedges} vorsichtig formuliert.</translation>
    </message>
    <message>
        <source>No radiologist has enough findings; a comparison needs two, with {n} findings each, {hedges} of them hedged.</source>
        <translation>Niemand hat genug Befunde; ein Vergleich braucht zwei Personen mit je {n} Befunden, davon {hedges} vorsichtig formuliert.</translation>
    </message>
    <message>
        <source>Mean over radiologists {mean}.</source>
        <translation>Mittel über alle Befundenden: {mean}.</translation>
    </message>
    <message>
        <source>Chance is the likeliest explanation of all differences.</source>
        <translation>Zufall ist die wahrscheinlichste Erklärung aller Unterschiede.</translation>
    </message>
    <message>
        <source>Values of few findings are drawn towards the mean when they are seen together with all others: they say little by themselves.</source>
        <translation>Werte aus wenigen Befunden werden zum Mittel hingezogen, wenn man sie zusammen mit allen anderen betrachtet: Für sich allein sagen sie wenig.</translation>
    </message>
    <message>
        <source>Each radiologist is compared with all others. Within the limits, chance alone is enough to explain where a radiologist lies.</source>
        <translation>Jede befundende Person wird mit allen anderen verglichen. Innerhalb der Grenzen genügt der Zufall allein als Erklärung dafür, wo jemand liegt.</translation>
    </message>
    <message>
        <source>With so few radiologists, one who differs much also sets the others apart from the rest.</source>
        <translation>Bei so wenigen Befundenden setzt jemand, der stark abweicht, auch die anderen vom Rest ab.</translation>
    </message>
    <message>
        <source>Radiologists lie further apart than chance alone puts them (over-dispersion {phi}, where chance gives about 1, and as much in {p} of 1,000 departments). Patients and tasks differ too: expect some outside.</source>
        <translation>Befundende liegen weiter auseinander, als Zufall allein sie brächte (Überdispersion {phi}, wo Zufall etwa 1 ergibt, und ebenso viel in {p} von 1.000 Abteilungen). Auch Patienten und Aufgaben unterscheiden sich: Einige außerhalb sind zu erwarten.</translation>
    </message>
    <message>
        <source>Taken together, radiologists lie no further apart than chance puts them (over-dispersion {phi}, where chance gives about 1, and as much in {p} of 1,000 departments).</source>
        <translation>Zusammen genommen liegen Befundende nicht weiter auseinander, als Zufall sie bringt (Überdispersion {phi}, wo Zufall etwa 1 ergibt, und ebenso viel in {p} von 1.000 Abteilungen).</translation>
    </message>
    <message>
        <source>Zero is what the same words come to on average when CT confirms them as often as everybody’s; the limits are simulated by dealing out the department’s findings by chance.</source>
        <translation>Null ist, was dieselben Wörter im Mittel ergeben, wenn die CT sie so oft bestätigt wie die aller; die Grenzen sind simuliert, indem die Befunde der Abteilung zufällig verteilt werden.</translation>
    </message>
    <message>
        <source>All {n} radiologists lie within the 95 % limits of chance. That does not show that they are alike: with few findings, differences stay unseen.</source>
        <translation>Alle {n} Befundenden liegen innerhalb der 95-%-Grenzen des Zufalls. Das zeigt nicht, dass sie gleich sind: Bei wenigen Befunden bleiben Unterschiede unsichtbar.</translation>
    </message>
    <message>
        <source>One of {n} radiologists lies outside the 95 % limits of chance; chance alone would put about {expected} there.</source>
        <translation>Eine von {n} befundenden Personen liegt außerhalb der 95-%-Grenzen des Zufalls; Zufall allein brächte etwa {expected} dorthin.</translation>
    </message>
    <message>
        <source>From what is known, {coverage} of radiologists like these truly lie between {low} and {high}.</source>
        <translation>Nach allem, was bekannt ist, liegen {coverage} solcher Befundenden tatsächlich zwischen {low} und {high}.</translation>
    </message>
    <message>
        <source>{n} findings have no time of examination and are left out.</source>
        <translation>{n} Befunde haben keine Untersuchungszeit und zählen nicht mit.</translation>
    </message>
    <message>
        <source>{n} findings, {hedges} of them hedged</source>
        <translation>{n} Befunde, davon {hedges} vorsichtig formuliert</translation>
    </message>
    <message>
        <source>{n} findings in this phrase</source>
        <translation>{n} Befunde mit dieser Formulierung</translation>
    </message>
    <message>
        <source>No period has enough data by itself; each needs {needed}.</source>
        <translation>Kein Zeitraum hat für sich genug Daten; jeder braucht {needed}.</translation>
    </message>
    <message>
        <source>No finding has a time of examination.</source>
        <translation>Kein Befund hat eine Untersuchungszeit.</translation>
    </message>
    <message>
        <source>Say when feedback was given to see what was different before and after.</source>
        <translation>Geben Sie an, wann die Rückmeldung gegeben wurde, um zu sehen, was vorher und nachher anders war.</translation>
    </message>
    <message>
        <source>Not enough data to compare before and after: {before} and {after} findings; each side needs {needed}.</source>
        <translation>Nicht genug Daten für einen Vergleich von vorher und nachher: {before} und {after} Befunde; jede Seite braucht {needed}.</translation>
    </message>
    <message>
        <source>Of the radiologists whose date of feedback is known:</source>
        <translation>Von den Befundenden, deren Rückmeldungsdatum bekannt ist:</translation>
    </message>
    <message>
        <source>Before {before} of {n_before}, after {after} of {n_after}: a change of {change} points ({low} to {high}).</source>
        <translation>Vorher {before} von {n_before}, nachher {after} von {n_after}: eine Veränderung um {change} Punkte ({low} bis {high}).</translation>
    </message>
    <message>
        <source>ECE* before {before} (n = {n_before}), after {after} (n = {n_after}). With what luck gives taken off both, the change is {change} ({low} to {high}).</source>
        <translation>ECE* vorher {before} (n = {n_before}), nachher {after} (n = {n_after}). Nach Abzug dessen, was Zufall auf beiden Seiten ergibt, beträgt die Veränderung {change} ({low} bis {high}).</translation>
    </message>
    <message>
        <source>The interval holds zero: chance may be all there is to it.</source>
        <translation>Das Intervall enthält die Null: Zufall kann alles sein, was dahintersteckt.</translation>
    </message>
    <message>
        <source>Other things change with time too, and whoever stood out by chance comes back to the mean without feedback.</source>
        <translation>Mit der Zeit ändert sich auch anderes, und wer zufällig auffiel, kehrt auch ohne Rückmeldung zum Mittel zurück.</translation>
    </message>
</context>
<context>
    <name>copies</name>
    <message>
        <source>decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>No copy has been made yet.</source>
        <translation>Bisher gibt es keine Sicherungskopie.</translation>
    </message>
    <message>
        <source>No copy has been made yet. The workspace holds {decisions} by people, which nothing could make again.</source>
        <translation>Bisher gibt es keine Sicherungskopie. Der Arbeitsbereich enthält {decisions} von Menschen, die niemand wiederherstellen könnte.</translation>
    </message>
    <message>
        <source>The last copy was made on {when}.</source>
        <translation>Die letzte Sicherungskopie entstand am {when}.</translation>
    </message>
    <message>
        <source>The last copy was made on {when}. Since then people have made {decisions}, which nothing could make again.</source>
        <translation>Die letzte Sicherungskopie entstand am {when}. Seither kamen {decisions} von Menschen hinzu, die niemand wiederherstellen könnte.</translation>
    </message>
    <message>
        <source>backup</source>
        <translation>Sicherungskopie</translation>
    </message>
    <message>
        <source>backups</source>
        <translation>Sicherungskopien</translation>
    </message>
    <message>
        <source>No backups are made automatically.</source>
        <translation>Es wird nicht automatisch gesichert.</translation>
    </message>
    <message>
        <source>It holds {what}.</source>
        <translation>Enthalten sind {what}.</translation>
    </message>
    <message>
        <source>The file before held {what} more.</source>
        <translation>Die bisherige Datei enthielt darüber hinaus {what}.</translation>
    </message>
    <message>
        <source>What the file before held beyond that cannot be read.</source>
        <translation>Was die bisherige Datei darüber hinaus enthielt, ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Backed up once a day if something has changed; {backups} in {folder}.</source>
        <translation>Täglich gesichert, wenn sich etwas geändert hat; {backups} in {folder}.</translation>
    </message>
    <message>
        <source>Checked on {when}: the whole file can be read.</source>
        <translation>Geprüft am {when}: Die ganze Datei ist lesbar.</translation>
    </message>
    <message>
        <source>Checked on {when}: {n} of {pages} pages of the file are damaged.</source>
        <translation>Geprüft am {when}: {n} von {pages} Seiten der Datei sind beschädigt.</translation>
    </message>
    <message>
        <source>The file before is kept as {name}.</source>
        <translation>Die bisherige Datei bleibt als {name} erhalten.</translation>
    </message>
    <message>
        <source>The whole backup can be read. It holds {what}.</source>
        <translation>Die ganze Sicherungskopie ist lesbar. Sie enthält {what}.</translation>
    </message>
    <message>
        <source>{reports} and {decisions} by people</source>
        <translation>{reports} und {decisions} von Menschen</translation>
    </message>
    <message>
        <source>report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>reports</source>
        <translation>Berichte</translation>
    </message>
</context>
<context>
    <name>costs</name>
    <message>
        <source>What it costs to say one word instead of another</source>
        <translation>Was es kostet, ein Wort statt eines anderen zu verwenden</translation>
    </message>
    <message>
        <source>said today, n</source>
        <translation>heute verwendet, n</translation>
    </message>
    <message>
        <source>said instead</source>
        <translation>stattdessen verwendet</translation>
    </message>
    <message>
        <source>− closer to CT</source>
        <translation>− näher an der CT</translation>
    </message>
    <message>
        <source>+ farther from it</source>
        <translation>+ weiter davon entfernt</translation>
    </message>
    <message>
        <source>never said</source>
        <translation>nie verwendet</translation>
    </message>
    <message>
        <source>advised</source>
        <translation>empfohlen</translation>
    </message>
    <message>
        <source>{word} was never said here.</source>
        <translation>{word} wurde hier nie verwendet.</translation>
    </message>
    <message>
        <source>{word} was said {n} times.</source>
        <translation>{word} wurde {n}-mal verwendet.</translation>
    </message>
    <message>
        <source>Saying {target} instead of {source} changes ECE by {change} per use (n = {n}).</source>
        <translation>{target} statt {source} ändert den ECE um {change} je Verwendung (n = {n}).</translation>
    </message>
</context>
<context>
    <name>dates</name>
    <message>
        <source>Examinations: {which}</source>
        <translation>Untersuchungen: {which}</translation>
    </message>
    <message>
        <source>Which examinations count on this page</source>
        <translation>Welche Untersuchungen auf dieser Seite zählen</translation>
    </message>
    <message>
        <source>&amp;All examinations</source>
        <translation>&amp;Alle Untersuchungen</translation>
    </message>
    <message>
        <source>Last &amp;3 months</source>
        <translation>Letzte &amp;3 Monate</translation>
    </message>
    <message>
        <source>Last &amp;6 months</source>
        <translation>Letzte &amp;6 Monate</translation>
    </message>
    <message>
        <source>Last &amp;12 months</source>
        <translation>Letzte &amp;12 Monate</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>&amp;Show these days</source>
        <translation>Diese Tage &amp;zeigen</translation>
    </message>
    <message>
        <source>All dates</source>
        <translation>Alle Daten</translation>
    </message>
    <message>
        <source>since {day}</source>
        <translation>seit {day}</translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation>bis {day}</translation>
    </message>
</context>
<context>
    <name>diagram</name>
    <message>
        <source>Reliability diagram</source>
        <translation>Zuverlässigkeitsdiagramm</translation>
    </message>
    <message>
        <source>confirmed by CT</source>
        <translation>durch CT bestätigt</translation>
    </message>
    <message>
        <source>certainty that readers take from the words</source>
        <translation>Sicherheit, die aus den Wörtern gelesen wird</translation>
    </message>
    <message>
        <source>said</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>“{phrase}”: said {n} times, confirmed {positives}: {rate}</source>
        <translation>„{phrase}“: {n}-mal verwendet, {positives} bestätigt: {rate}</translation>
    </message>
    <message>
        <source>At {span}: nothing was said that strongly</source>
        <translation>Bei {span}: nichts so sicher formuliert</translation>
    </message>
    <message>
        <source>At {span}: CT confirmed {rate}</source>
        <translation>Bei {span}: CT bestätigte {rate}</translation>
    </message>
    <message>
        <source>luck alone {luck}</source>
        <translation>reiner Zufall {luck}</translation>
    </message>
    <message>
        <source>{share} of what was said</source>
        <translation>{share} der Aussagen</translation>
    </message>
</context>
<context>
    <name>empty</name>
    <message>
        <source>Show all &amp;dates</source>
        <translation>Alle &amp;Daten zeigen</translation>
    </message>
    <message>
        <source>{author} has no findings on {topic} on the chosen dates: {dates}.</source>
        <translation>{author} hat im gewählten Zeitraum keine Befunde zu {topic}: {dates}.</translation>
    </message>
    <message>
        <source>Nobody has findings on {topic} on the chosen dates: {dates}.</source>
        <translation>Niemand hat im gewählten Zeitraum Befunde zu {topic}: {dates}.</translation>
    </message>
    <message>
        <source>{author} has no findings on the chosen dates: {dates}.</source>
        <translation>{author} hat im gewählten Zeitraum keine Befunde: {dates}.</translation>
    </message>
    <message>
        <source>{author} has no findings worded {phrase} on {topic} on the chosen dates: {dates}.</source>
        <translation>{author} hat im gewählten Zeitraum keine Befunde zu {topic}, die mit {phrase} formuliert sind: {dates}.</translation>
    </message>
    <message>
        <source>On all dates together: {n}.</source>
        <translation>An allen Tagen zusammen: {n}.</translation>
    </message>
</context>
<context>
    <name>evidence</name>
    <message>
        <source>X-ray on</source>
        <translation>Röntgen am</translation>
    </message>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>the X-ray report said</source>
        <translation>im Röntgenbericht stand</translation>
    </message>
    <message>
        <source>the CT report said</source>
        <translation>im CT-Bericht stand</translation>
    </message>
    <message>
        <source>CT</source>
        <translation>CT</translation>
    </message>
    <message>
        <source>contested</source>
        <translation>angefochten</translation>
    </message>
    <message>
        <source>radiologist</source>
        <translation>befundende Person</translation>
    </message>
    <message>
        <source>pathology</source>
        <translation>Pathologie</translation>
    </message>
    <message>
        <source>(not mentioned; taken as absent)</source>
        <translation>(nicht erwähnt; gilt als nicht vorhanden)</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>nicht bestätigt</translation>
    </message>
    <message>
        <source>{side}, CT itself unsure</source>
        <translation>{side}, CT selbst unsicher</translation>
    </message>
    <message>
        <source>left out until the next analysis</source>
        <translation>bis zur nächsten Analyse nicht mitgezählt</translation>
    </message>
    <message>
        <source>contested, left out</source>
        <translation>angefochten, nicht mitgezählt</translation>
    </message>
    <message>
        <source>contested, counted</source>
        <translation>angefochten, mitgezählt</translation>
    </message>
    <message>
        <source>&amp;Contest…</source>
        <translation>&amp;Anfechten&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Back to the diagram</source>
        <translation>&amp;Zurück zum Diagramm</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Which findings</source>
        <translation>Welche Befunde</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>Anzei&amp;gen</translation>
    </message>
    <message>
        <source>&amp;All contested findings</source>
        <translation>A&amp;lle angefochtenen Befunde</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Looking up the findings…</source>
        <translation>Befunde werden nachgesehen&#xa0;…</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Contested findings</source>
        <translation>Angefochtene Befunde</translation>
    </message>
    <message>
        <source>{author} – {topic}, at {certainty}</source>
        <translation>{author} – {topic}, bei {certainty}</translation>
    </message>
    <message>
        <source>{author} – {topic}: {phrase}</source>
        <translation>{author} – {topic}: {phrase}</translation>
    </message>
    <message>
        <source>No finding has been contested.</source>
        <translation>Kein Befund wurde angefochten.</translation>
    </message>
    <message>
        <source>They are left out of the statistics, as the settings say.</source>
        <translation>Sie zählen in der Statistik nicht mit, wie die Einstellungen es festlegen.</translation>
    </message>
    <message>
        <source>They count as before; the settings can leave them out.</source>
        <translation>Sie zählen wie zuvor; die Einstellungen können sie ausschließen.</translation>
    </message>
    <message>
        <source>Words that readers take as this certainty, with their share: {words}.</source>
        <translation>Wörter, die als diese Sicherheit verstanden werden, mit ihrem Anteil: {words}.</translation>
    </message>
    <message>
        <source>CT confirmed {y} of {n} in these days.</source>
        <translation>CT bestätigte {y} von {n} in diesem Zeitraum.</translation>
    </message>
    <message>
        <source>All ({n})</source>
        <translation>Alle ({n})</translation>
    </message>
    <message>
        <source>Confirmed ({n})</source>
        <translation>Bestätigt ({n})</translation>
    </message>
    <message>
        <source>Not confirmed ({n})</source>
        <translation>Nicht bestätigt ({n})</translation>
    </message>
    <message>
        <source>CT does not mention it ({n})</source>
        <translation>In der CT nicht erwähnt ({n})</translation>
    </message>
    <message>
        <source>Contested ({n})</source>
        <translation>Angefochten ({n})</translation>
    </message>
    <message>
        <source>Tell your department’s QA staff: a personal file cannot be changed.</source>
        <translation>Sagen Sie es der Qualitätssicherung Ihrer Abteilung: Eine persönliche Datei kann nicht geändert werden.</translation>
    </message>
    <message>
        <source>The workspace is open to read only.</source>
        <translation>Der Arbeitsbereich ist schreibgeschützt geöffnet.</translation>
    </message>
    <message>
        <source>Take the &amp;contest back</source>
        <translation>An&amp;fechtung zurücknehmen</translation>
    </message>
    <message>
        <source>Mark this finding as wrongly read from the report, with a note (C)</source>
        <translation>Diesen Befund als falsch aus dem Bericht gelesen kennzeichnen, mit einer Notiz (C)</translation>
    </message>
    <message>
        <source>Contest a finding</source>
        <translation>Befund anfechten</translation>
    </message>
    <message>
        <source>What was read wrongly? The note stays in the workspace.</source>
        <translation>Was wurde falsch gelesen? Die Notiz bleibt im Arbeitsbereich.</translation>
    </message>
    <message>
        <source>Contest</source>
        <translation>Anfechten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Contested findings leave the statistics with the next analysis, as the settings say.</source>
        <translation>Angefochtene Befunde zählen ab der nächsten Analyse nicht mehr mit, wie die Einstellungen es festlegen.</translation>
    </message>
    <message>
        <source>Contested findings are marked and still count; the settings can leave them out.</source>
        <translation>Angefochtene Befunde werden gekennzeichnet und zählen weiter; die Einstellungen können sie ausschließen.</translation>
    </message>
    <message>
        <source>contest</source>
        <translation>Anfechtung</translation>
    </message>
</context>
<context>
    <name>extraction</name>
    <message>
        <source>report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>why it was not read</source>
        <translation>warum nicht gelesen</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>Leseverfahren</translation>
    </message>
    <message>
        <source>last read</source>
        <translation>zuletzt gelesen</translation>
    </message>
    <message>
        <source>reports read</source>
        <translation>gelesene Berichte</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>results on show</source>
        <translation>gezeigte Ergebnisse</translation>
    </message>
    <message>
        <source>measured accuracy</source>
        <translation>gemessene Genauigkeit</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugekommen</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>weggefallen</translation>
    </message>
    <message>
        <source>other phrase</source>
        <translation>andere Formulierung</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>pathology</source>
        <translation>Pathologie</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>sentence</source>
        <translation>Satz</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Llama</source>
        <translation>Llama</translation>
    </message>
    <message>
        <source>{engine} {version}, {model}</source>
        <translation>{engine} {version}, {model}</translation>
    </message>
    <message>
        <source>{engine} {version}</source>
        <translation>{engine} {version}</translation>
    </message>
    <message>
        <source>{engine} · {when} · {n} read</source>
        <translation>{engine} · {when} · {n} gelesen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>What reads the reports</source>
        <translation>Was die Berichte liest</translation>
    </message>
    <message>
        <source>R&amp;ules</source>
        <translation>&amp;Regeln</translation>
    </message>
    <message>
        <source>Word lists and grammar; thousands of reports a minute, nothing to set.</source>
        <translation>Wortlisten und Grammatik; Tausende Berichte in der Minute, nichts einzustellen.</translation>
    </message>
    <message>
        <source>The small &amp;Llama that ships with RadCal</source>
        <translation>Das &amp;kleine Llama, das RadCal beiliegt</translation>
    </message>
    <message>
        <source>Reads sentence by sentence, and says how sure it is of each finding.</source>
        <translation>Liest Satz für Satz und sagt, wie sicher es sich bei jedem Befund ist.</translation>
    </message>
    <message>
        <source>A Llama of your &amp;own</source>
        <translation>Ein &amp;eigenes Llama</translation>
    </message>
    <message>
        <source>A GGUF file on this computer, such as Llama 3; nothing is downloaded.</source>
        <translation>Eine GGUF-Datei auf diesem Computer, etwa Llama 3; nichts wird heruntergeladen.</translation>
    </message>
    <message>
        <source>model.gguf</source>
        <translation>model.gguf</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>Modelldatei</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen&#xa0;…</translation>
    </message>
    <message>
        <source>Choose the model file</source>
        <translation>Modelldatei wählen</translation>
    </message>
    <message>
        <source>Options of the Ll&amp;ama</source>
        <translation>&amp;Optionen des Llamas</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen&#xa0;…</translation>
    </message>
    <message>
        <source>Conte&amp;xt</source>
        <translation>Konte&amp;xt</translation>
    </message>
    <message>
        <source>More is faster, as far as the GPU’s memory goes; 0 uses the processor only.</source>
        <translation>Mehr ist schneller, soweit der Speicher der GPU reicht; 0 nutzt nur den Prozessor.</translation>
    </message>
    <message>
        <source>Reports at a t&amp;ime</source>
        <translation>Ber&amp;ichte gleichzeitig</translation>
    </message>
    <message>
        <source>Several at a time are faster and need more memory; results are the same.</source>
        <translation>Mehrere gleichzeitig sind schneller und brauchen mehr Speicher; die Ergebnisse sind dieselben.</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>T&amp;hreads</translation>
    </message>
    <message>
        <source>Longest time &amp;for a report</source>
        <translation>Längste &amp;Zeit für einen Bericht</translation>
    </message>
    <message>
        <source>Models that follow instructions have a chat template; base models have none.</source>
        <translation>Modelle, die Anweisungen befolgen, haben eine Chatvorlage; Basismodelle haben keine.</translation>
    </message>
    <message>
        <source>Prompt fil&amp;es</source>
        <translation>&amp;Promptdateien</translation>
    </message>
    <message>
        <source>Te&amp;mperature</source>
        <translation>Te&amp;mperatur</translation>
    </message>
    <message>
        <source>Above 0, answers are drawn by chance; the same seed draws the same.</source>
        <translation>Über 0 werden Antworten zufällig gezogen; derselbe Startwert zieht dieselben.</translation>
    </message>
    <message>
        <source>Measured: {accuracy}.</source>
        <translation>Gemessen: {accuracy}.</translation>
    </message>
    <message>
        <source>With these words: not measured.</source>
        <translation>Mit diesen Wörtern: nicht gemessen.</translation>
    </message>
    <message>
        <source>F1 says how well the findings agree with those that people marked in the same reports: 1 is perfect agreement. In brackets its 95 % interval.</source>
        <translation>F1 sagt, wie gut die Befunde mit denen übereinstimmen, die Menschen in denselben Berichten markiert haben: 1 ist völlige Übereinstimmung. In Klammern das 95-%-Intervall.</translation>
    </message>
    <message>
        <source>Not measured: review some of what it reads before you rely on it.</source>
        <translation>Nicht gemessen: Prüfen Sie einen Teil des Gelesenen, bevor Sie sich darauf verlassen.</translation>
    </message>
    <message>
        <source>change the engine</source>
        <translation>Leseverfahren ändern</translation>
    </message>
    <message>
        <source>by the machine</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>all that fit</source>
        <translation>alle, die passen</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>0: the most probable answer</source>
        <translation>0: die wahrscheinlichste Antwort</translation>
    </message>
    <message>
        <source>the model’s template, if it has one</source>
        <translation>die Vorlage des Modells, falls vorhanden</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>einfach</translation>
    </message>
    <message>
        <source>the model’s chat template</source>
        <translation>die Chatvorlage des Modells</translation>
    </message>
    <message>
        <source>those of RadCal</source>
        <translation>die von RadCal</translation>
    </message>
    <message>
        <source>Choose a folder with prompt files of your own</source>
        <translation>Ordner mit eigenen Promptdateien wählen</translation>
    </message>
    <message>
        <source>What the prompt, one report and its answer may take together. Longer reports are read in parts. More needs more memory.</source>
        <translation>Was Prompt, ein Bericht und dessen Antwort zusammen beanspruchen dürfen. Längere Berichte werden in Teilen gelesen. Mehr braucht mehr Speicher.</translation>
    </message>
    <message>
        <source>Layers on the &amp;GPU</source>
        <translation>Schichten auf der &amp;GPU</translation>
    </message>
    <message>
        <source>Processor threads that the model may use.</source>
        <translation>Prozessor-Threads, die das Modell nutzen darf.</translation>
    </message>
    <message>
        <source>A report that takes longer, twice, is set aside and listed below.</source>
        <translation>Ein Bericht, der zweimal länger braucht, wird zurückgestellt und unten aufgeführt.</translation>
    </message>
    <message>
        <source>Prompt st&amp;yle</source>
        <translation>Promptst&amp;il</translation>
    </message>
    <message>
        <source>A folder with prompt templates and worked examples of your own.</source>
        <translation>Ein Ordner mit eigenen Promptvorlagen und ausgearbeiteten Beispielen.</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>S&amp;tartwert</translation>
    </message>
    <message>
        <source>Of drawn answers.</source>
        <translation>Für gezogene Antworten.</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Modelle (*.gguf)</translation>
    </message>
    <message>
        <source>Choose a folder with prompt files</source>
        <translation>Ordner mit Promptdateien wählen</translation>
    </message>
    <message>
        <source>Reports a minute, over time</source>
        <translation>Berichte je Minute im Zeitverlauf</translation>
    </message>
    <message>
        <source>{n} reports a minute now</source>
        <translation>Jetzt {n} Berichte je Minute</translation>
    </message>
    <message>
        <source>{rate} reports a minute, after {time}</source>
        <translation>{rate} Berichte je Minute, nach {time}</translation>
    </message>
    <message>
        <source>The pace shows after a few seconds.</source>
        <translation>Das Tempo wird nach einigen Sekunden gezeigt.</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>Extraktion</translation>
    </message>
    <message>
        <source>&amp;Read the reports</source>
        <translation>Berichte &amp;lesen</translation>
    </message>
    <message>
        <source>Views of the extraction</source>
        <translation>Ansichten der Extraktion</translation>
    </message>
    <message>
        <source>Two runs compared</source>
        <translation>Zwei Läufe im Vergleich</translation>
    </message>
    <message>
        <source>Place &amp;them in Words</source>
        <translation>In „&amp;Wörter“ zuordnen</translation>
    </message>
    <message>
        <source>Reports that could not be read</source>
        <translation>Berichte, die nicht gelesen werden konnten</translation>
    </message>
    <message>
        <source>Try &amp;selected again</source>
        <translation>&amp;Ausgewählte erneut versuchen</translation>
    </message>
    <message>
        <source>Try &amp;all again</source>
        <translation>A&amp;lle erneut versuchen</translation>
    </message>
    <message>
        <source>Runs of engines</source>
        <translation>Läufe der Leseverfahren</translation>
    </message>
    <message>
        <source>What has been read</source>
        <translation>Was gelesen wurde</translation>
    </message>
    <message>
        <source>Sho&amp;w results of this run</source>
        <translation>Erge&amp;bnisse dieses Laufs zeigen</translation>
    </message>
    <message>
        <source>All results are made from this run until you choose another, or read again.</source>
        <translation>Alle Ergebnisse entstehen aus diesem Lauf, bis Sie einen anderen wählen oder erneut lesen.</translation>
    </message>
    <message>
        <source>No engine has read any report yet.</source>
        <translation>Noch hat kein Leseverfahren Berichte gelesen.</translation>
    </message>
    <message>
        <source>What changed between two runs</source>
        <translation>Was sich zwischen zwei Läufen geändert hat</translation>
    </message>
    <message>
        <source>B&amp;efore</source>
        <translation>&amp;Vorher</translation>
    </message>
    <message>
        <source>A&amp;fter</source>
        <translation>&amp;Nachher</translation>
    </message>
    <message>
        <source>Engine and runs</source>
        <translation>Leseverfahren und Läufe</translation>
    </message>
    <message>
        <source>Open a workspace to let an engine read its reports.</source>
        <translation>Öffnen Sie einen Arbeitsbereich, um seine Berichte lesen zu lassen.</translation>
    </message>
    <message>
        <source>Looking up what was read…</source>
        <translation>Gelesenes wird nachgesehen&#xa0;…</translation>
    </message>
    <message>
        <source>What was read could not be looked up. {why}</source>
        <translation>Gelesenes konnte nicht nachgesehen werden. {why}</translation>
    </message>
    <message>
        <source>There are no pairs of reports yet. Engines read the reports that are paired.</source>
        <translation>Es gibt noch keine Berichtspaare. Leseverfahren lesen die Berichte, die Paare bilden.</translation>
    </message>
    <message>
        <source>Import reports</source>
        <translation>Berichte importieren</translation>
    </message>
    <message>
        <source>{n} report has not been read yet.</source>
        <translation>{n} Bericht ist noch nicht gelesen.</translation>
    </message>
    <message>
        <source>{n} reports have not been read yet.</source>
        <translation>{n} Berichte sind noch nicht gelesen.</translation>
    </message>
    <message>
        <source>{n} report could not be read.</source>
        <translation>{n} Bericht konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{n} reports could not be read.</source>
        <translation>{n} Berichte konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Not read ({n})</source>
        <translation>Nicht gelesen ({n})</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>Nicht gelesen</translation>
    </message>
    <message>
        <source>Nothing has been read yet, so nothing has failed.</source>
        <translation>Noch wurde nichts gelesen, also ist nichts gescheitert.</translation>
    </message>
    <message>
        <source>Every report that this engine was given could be read.</source>
        <translation>Jeder Bericht, den dieses Leseverfahren bekam, konnte gelesen werden.</translation>
    </message>
    <message>
        <source>finding is</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>findings are</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>phrases</source>
        <translation>Formulierungen</translation>
    </message>
    <message>
        <source>{findings} worded with {phrases} in no list, and left out of every figure.</source>
        <translation>{findings} mit {phrases} aus keiner Liste; in keiner Zahl mitgezählt.</translation>
    </message>
    <message>
        <source>Extracting findings</source>
        <translation>Befunde extrahieren</translation>
    </message>
    <message>
        <source>Analysing what was read</source>
        <translation>Gelesenes analysieren</translation>
    </message>
    <message>
        <source>Making results from another run</source>
        <translation>Ergebnisse aus einem anderen Lauf erstellen</translation>
    </message>
    <message>
        <source>make results from another reading</source>
        <translation>Ergebnisse aus einem anderen Lauf erstellen</translation>
    </message>
    <message>
        <source>To compare, two runs are needed. Choose another engine or model under Engine and read the reports with it: both are kept.</source>
        <translation>Ein Vergleich braucht zwei Läufe. Wählen Sie unter „Leseverfahren“ ein anderes Verfahren oder Modell und lesen Sie die Berichte damit: Beide bleiben erhalten.</translation>
    </message>
    <message>
        <source>These are the same run. Choose two different ones.</source>
        <translation>Das ist derselbe Lauf. Wählen Sie zwei verschiedene.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft&#xa0;…</translation>
    </message>
    <message>
        <source>No report was read by both.</source>
        <translation>Kein Bericht wurde von beiden gelesen.</translation>
    </message>
    <message>
        <source>In {reports} that both have read, {same} findings are the same. Added: {added}; removed: {removed}; read as another phrase: {changed}.</source>
        <translation>{reports} von beiden gelesen: {same} Befunde sind gleich. Hinzugekommen: {added}; weggefallen: {removed}; als andere Formulierung gelesen: {changed}.</translation>
    </message>
    <message>
        <source>reports</source>
        <translation>Berichte</translation>
    </message>
    <message>
        <source>The workspace is open to read only; another RadCal has it open.</source>
        <translation>Der Arbeitsbereich ist schreibgeschützt geöffnet; ein anderes RadCal hat ihn offen.</translation>
    </message>
    <message>
        <source>Wait until the reading has ended, or cancel it.</source>
        <translation>Warten Sie, bis das Lesen beendet ist, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>&amp;Read {n} report</source>
        <translation>{n} Bericht &amp;lesen</translation>
    </message>
    <message>
        <source>&amp;Read {n} reports</source>
        <translation>{n} Berichte &amp;lesen</translation>
    </message>
    <message>
        <source>Select the reports in the table first.</source>
        <translation>Wählen Sie zuerst die Berichte in der Tabelle aus.</translation>
    </message>
    <message>
        <source>Select one run in the table first.</source>
        <translation>Wählen Sie zuerst einen Lauf in der Tabelle aus.</translation>
    </message>
    <message>
        <source>Its results are on show already.</source>
        <translation>Seine Ergebnisse werden bereits gezeigt.</translation>
    </message>
    <message>
        <source>Choose a model file first.</source>
        <translation>Wählen Sie zuerst eine Modelldatei.</translation>
    </message>
    <message>
        <source>This engine has read all paired reports.</source>
        <translation>Dieses Leseverfahren hat alle gepaarten Berichte gelesen.</translation>
    </message>
    <message>
        <source>The engine cannot be used as it is set. {why}</source>
        <translation>Das Leseverfahren kann so, wie es eingestellt ist, nicht verwendet werden. {why}</translation>
    </message>
    <message>
        <source>The rules have not read any of the {n} paired reports yet.</source>
        <translation>Die Regeln haben noch keinen der {n} gepaarten Berichte gelesen.</translation>
    </message>
    <message>
        <source>The Llama has not read any of the {n} paired reports yet.</source>
        <translation>Das Llama hat noch keinen der {n} gepaarten Berichte gelesen.</translation>
    </message>
    <message>
        <source>The rules have read {done} of {n} paired reports: {findings} findings.</source>
        <translation>Die Regeln haben {done} von {n} gepaarten Berichten gelesen: {findings} Befunde.</translation>
    </message>
    <message>
        <source>The reports are being read. What is on show stays until all of them are.</source>
        <translation>Die Berichte werden gelesen. Was gezeigt wird, bleibt, bis alle gelesen sind.</translation>
    </message>
    <message>
        <source>The Llama has read {done} of {n} paired reports: {findings} findings.</source>
        <translation>Das Llama hat {done} von {n} gepaarten Berichten gelesen: {findings} Befunde.</translation>
    </message>
    <message>
        <source>Results on show are those of {run}.</source>
        <translation>Gezeigt werden die Ergebnisse von {run}.</translation>
    </message>
    <message>
        <source>The rules or the words have changed since they read: all {n} paired reports wait to be read again.</source>
        <translation>Die Regeln oder die Wörter haben sich seit dem Lesen geändert: Alle {n} gepaarten Berichte warten darauf, erneut gelesen zu werden.</translation>
    </message>
    <message>
        <source>The Llama, its options or the words have changed since it read: all {n} paired reports wait to be read again.</source>
        <translation>Das Llama, seine Optionen oder die Wörter haben sich seit dem Lesen geändert: Alle {n} gepaarten Berichte warten darauf, erneut gelesen zu werden.</translation>
    </message>
    <message>
        <source>{n} MiB</source>
        <translation>{n} MiB</translation>
    </message>
    <message>
        <source>{n} GiB</source>
        <translation>{n} GiB</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>Looking at what fits…</source>
        <translation>Es wird geprüft, was passt&#xa0;…</translation>
    </message>
    <message>
        <source>Choose a model file to see whether it fits.</source>
        <translation>Wählen Sie eine Modelldatei, um zu sehen, ob sie passt.</translation>
    </message>
    <message>
        <source>Runs everywhere: no model, hardly any memory.</source>
        <translation>Läuft überall: kein Modell, kaum Speicher.</translation>
    </message>
    <message>
        <source>{model} fits, all of it on the GPU {gpu}.</source>
        <translation>{model} passt vollständig auf die GPU {gpu}.</translation>
    </message>
    <message>
        <source>{model} fits, {n} of {total} layers on the GPU {gpu}.</source>
        <translation>{model} passt, {n} von {total} Schichten auf die GPU {gpu}.</translation>
    </message>
    <message>
        <source>{model} fits; the processor does all the work.</source>
        <translation>{model} passt; der Prozessor übernimmt die ganze Arbeit.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Keys and values</source>
        <translation>Schlüssel und Werte</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>In main memory</source>
        <translation>Im Hauptspeicher</translation>
    </message>
    <message>
        <source>On the GPU</source>
        <translation>Auf der GPU</translation>
    </message>
    <message>
        <source>{used} of {free} free</source>
        <translation>{used} von {free} frei</translation>
    </message>
    <message>
        <source>Progress of the reading</source>
        <translation>Fortschritt des Lesens</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>What was read is kept; reading goes on from there later.</source>
        <translation>Gelesenes bleibt erhalten; später wird von dort aus weitergelesen.</translation>
    </message>
    <message>
        <source>Reports a minute</source>
        <translation>Berichte je Minute</translation>
    </message>
    <message>
        <source>Re&amp;sume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Pau&amp;se</source>
        <translation>Pa&amp;use</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>Wird vorbereitet&#xa0;…</translation>
    </message>
    <message>
        <source>{done} of {total} reports</source>
        <translation>{done} von {total} Berichten</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>{n} reports a minute</source>
        <translation>{n} Berichte je Minute</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
</context>
<context>
    <name>feedback</name>
    <message>
        <source>radiologist</source>
        <translation>befundende Person</translation>
    </message>
    <message>
        <source>statements</source>
        <translation>Aussagen</translation>
    </message>
    <message>
        <source>suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>files written</source>
        <translation>geschriebene Dateien</translation>
    </message>
    <message>
        <source>passphrase of the personal file</source>
        <translation>Passphrase der persönlichen Datei</translation>
    </message>
    <message>
        <source>Known when the pages of these dates are written</source>
        <translation>Bekannt, sobald die Seiten dieses Zeitraums geschrieben sind</translation>
    </message>
    <message>
        <source>{files} written. {why}</source>
        <translation>{files} geschrieben. {why}</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>One radiologist</source>
        <translation>Eine Person</translation>
    </message>
    <message>
        <source>All radiologists</source>
        <translation>Alle Befundenden</translation>
    </message>
    <message>
        <source>&amp;Save as PDF…</source>
        <translation>Als PDF &amp;speichern&#xa0;…</translation>
    </message>
    <message>
        <source>Save these pages, to send or to keep</source>
        <translation>Diese Seiten speichern, zum Versenden oder Aufbewahren</translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation>Dru&amp;cken&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Try a sentence</source>
        <translation>Sat&amp;z ausprobieren</translation>
    </message>
    <message>
        <source>Paste a draft and see this advice beside its words</source>
        <translation>Einen Entwurf einfügen und diese Empfehlungen neben seinen Wörtern sehen</translation>
    </message>
    <message>
        <source>&amp;More</source>
        <translation>&amp;Mehr</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
    <message>
        <source>Write a personal &amp;file…</source>
        <translation>Persönliche &amp;Datei schreiben&#xa0;…</translation>
    </message>
    <message>
        <source>Put &amp;everything in again</source>
        <translation>Alles wieder &amp;aufnehmen</translation>
    </message>
    <message>
        <source>Open a workspace. Pages are made from the results of a department.</source>
        <translation>Öffnen Sie einen Arbeitsbereich. Die Seiten entstehen aus den Ergebnissen einer Abteilung.</translation>
    </message>
    <message>
        <source>Zoom out (Ctrl+−)</source>
        <translation>Verkleinern (Strg+−)</translation>
    </message>
    <message>
        <source>Zoom in (Ctrl++)</source>
        <translation>Vergrößern (Strg++)</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Anpassen</translation>
    </message>
    <message>
        <source>Fit the width (Ctrl+0)</source>
        <translation>An die Breite anpassen (Strg+0)</translation>
    </message>
    <message>
        <source>This file is open to read only: what you choose here lasts until it is closed.</source>
        <translation>Diese Datei ist schreibgeschützt geöffnet: Was Sie hier wählen, gilt, bis sie geschlossen wird.</translation>
    </message>
    <message>
        <source>Kept for this radiologist, for these pages and for the files of all.</source>
        <translation>Wird für diese Person aufbewahrt, für diese Seiten und für die Dateien aller.</translation>
    </message>
    <message>
        <source>There are no pages yet, because there are no results. {why}</source>
        <translation>Es gibt noch keine Seiten, weil es keine Ergebnisse gibt. {why}</translation>
    </message>
    <message>
        <source>Go to Import</source>
        <translation>Zum Import</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>Rückmeldung</translation>
    </message>
    <message>
        <source>Feedback for all radiologists</source>
        <translation>Rückmeldung für alle Befundenden</translation>
    </message>
    <message>
        <source>Each radiologist’s pages, with what was chosen for each, and personal files. Enter on a row shows the pages.</source>
        <translation>Die Seiten jeder Person, mit dem jeweils Gewählten, und persönliche Dateien. Die Eingabetaste auf einer Zeile zeigt die Seiten.</translation>
    </message>
    <message>
        <source>Your pages. What you tick goes in.</source>
        <translation>Ihre Seiten. Was Sie ankreuzen, kommt hinein.</translation>
    </message>
    <message>
        <source>The pages as the radiologist will read them. What you tick goes in.</source>
        <translation>Die Seiten, wie die befundende Person sie lesen wird. Was Sie ankreuzen, kommt hinein.</translation>
    </message>
    <message>
        <source>They are worked out from the examinations of the chosen dates alone.</source>
        <translation>Sie beruhen allein auf den Untersuchungen des gewählten Zeitraums.</translation>
    </message>
    <message>
        <source>Making the pages…</source>
        <translation>Die Seiten werden erstellt&#xa0;…</translation>
    </message>
    <message>
        <source>Fewer than three other readers used any of these words, so that one could be told.</source>
        <translation>Weniger als drei andere haben eines dieser Wörter verwendet, sodass eine einzelne Person erkennbar wäre.</translation>
    </message>
    <message>
        <source>Page {page} of {pages} · {zoom}</source>
        <translation>Seite {page} von {pages} · {zoom}</translation>
    </message>
    <message>
        <source>Save the pages as PDF</source>
        <translation>Seiten als PDF speichern</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Writing the pages of {author}</source>
        <translation>Seiten von {author} schreiben</translation>
    </message>
    <message>
        <source>&amp;Pages as PDF</source>
        <translation>&amp;Seiten als PDF</translation>
    </message>
    <message>
        <source>Personal &amp;files</source>
        <translation>Persönliche &amp;Dateien</translation>
    </message>
    <message>
        <source>A file that RadCal opens for one radiologist: own results, own findings and “Try a sentence”, nothing of anybody else. Each gets a passphrase of its own.</source>
        <translation>Eine Datei, die RadCal für eine einzelne Person öffnet: eigene Ergebnisse, eigene Befunde und „Satz ausprobieren“, nichts von anderen. Jede bekommt eine eigene Passphrase.</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Open the f&amp;older</source>
        <translation>&amp;Ordner öffnen</translation>
    </message>
    <message>
        <source>Radiologists</source>
        <translation>Befundende</translation>
    </message>
    <message>
        <source>This workspace is open to read only and can keep no passphrases, so no personal files are written from it.</source>
        <translation>Dieser Arbeitsbereich ist nur zum Lesen geöffnet und kann keine Passphrasen aufbewahren; deshalb werden aus ihm keine persönlichen Dateien geschrieben.</translation>
    </message>
    <message>
        <source>A folder for the files</source>
        <translation>Ordner für die Dateien</translation>
    </message>
    <message>
        <source>Writing feedback files</source>
        <translation>Rückmeldungen schreiben</translation>
    </message>
    <message>
        <source>Files for {n} of {all} radiologists are in {folder}.</source>
        <translation>Dateien für {n} von {all} Befundenden liegen in {folder}.</translation>
    </message>
    <message>
        <source>The passphrases stand in the table until the sample is closed: copy them, and give each to its radiologist apart from the file.</source>
        <translation>Die Passphrasen stehen in der Tabelle, bis das Beispiel geschlossen wird: Kopieren Sie sie, und geben Sie jede der betreffenden Person getrennt von der Datei.</translation>
    </message>
    <message>
        <source>The passphrases stand in the table, and this workspace keeps them: give each to its radiologist apart from the file.</source>
        <translation>Die Passphrasen stehen in der Tabelle, und dieser Arbeitsbereich bewahrt sie auf: Geben Sie jede der betreffenden Person getrennt von der Datei.</translation>
    </message>
    <message>
        <source>Why the others were not written stands in the table.</source>
        <translation>Warum die übrigen nicht geschrieben wurden, steht in der Tabelle.</translation>
    </message>
    <message>
        <source>Tick pages, personal files, or both.</source>
        <translation>Kreuzen Sie Seiten, persönliche Dateien oder beides an.</translation>
    </message>
    <message>
        <source>Pages are made from the examinations of these dates: {dates}.</source>
        <translation>Die Seiten beruhen auf den Untersuchungen dieses Zeitraums: {dates}.</translation>
    </message>
    <message>
        <source>Pages are made from the examinations of these dates: {dates}. Personal files hold all examinations; their radiologists choose dates in them.</source>
        <translation>Die Seiten beruhen auf den Untersuchungen dieses Zeitraums: {dates}. Persönliche Dateien enthalten alle Untersuchungen; den Zeitraum wählen die Befundenden darin selbst.</translation>
    </message>
    <message>
        <source>What goes in</source>
        <translation>Was hineinkommt</translation>
    </message>
    <message>
        <source>S&amp;uggestions</source>
        <translation>Vorschlä&amp;ge</translation>
    </message>
    <message>
        <source>Which words would have matched better, and why</source>
        <translation>Welche Wörter besser gepasst hätten und warum</translation>
    </message>
    <message>
        <source>&amp;Diagrams and tables</source>
        <translation>Diagramme und &amp;Tabellen</translation>
    </message>
    <message>
        <source>Each pathology with its diagram and all of its words</source>
        <translation>Jede Pathologie mit ihrem Diagramm und allen ihren Wörtern</translation>
    </message>
    <message>
        <source>&amp;Example sentences</source>
        <translation>Be&amp;ispielsätze</translation>
    </message>
    <message>
        <source>The radiologist’s own sentences with what the CT said</source>
        <translation>Eigene Sätze der befundenden Person mit dem, was in der CT stand</translation>
    </message>
    <message>
        <source>All &amp;other readers together</source>
        <translation>A&amp;lle anderen zusammen</translation>
    </message>
    <message>
        <source>Pathologies</source>
        <translation>Pathologien</translation>
    </message>
    <message>
        <source>Space ticks or clears the pathology that is chosen.</source>
        <translation>Die Leertaste kreuzt die gewählte Pathologie an oder ab.</translation>
    </message>
    <message>
        <source>&amp;Pathologies</source>
        <translation>Pat&amp;hologien</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>&amp;Alle</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>&amp;Keine</translation>
    </message>
    <message>
        <source>Printed at the top, as words of the QA staff</source>
        <translation>Steht oben auf den gedruckten Seiten, als Worte der Qualitätssicherung</translation>
    </message>
    <message>
        <source>Note at the top</source>
        <translation>Notiz oben</translation>
    </message>
    <message>
        <source>Note at t&amp;he top</source>
        <translation>&amp;Notiz oben</translation>
    </message>
    <message>
        <source>A4</source>
        <translation>A4</translation>
    </message>
    <message>
        <source>US Letter</source>
        <translation>US Letter</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>Papier</translation>
    </message>
    <message>
        <source>Language of the pages</source>
        <translation>Sprache der Seiten</translation>
    </message>
    <message>
        <source>What the pages are written in; the words of the reports stay as they are</source>
        <translation>Worin die Seiten geschrieben sind; die Wörter der Berichte bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Paper si&amp;ze</source>
        <translation>Papi&amp;er</translation>
    </message>
    <message>
        <source>{topic} ({n})</source>
        <translation>{topic} ({n})</translation>
    </message>
    <message>
        <source>The same words of all other readers of the department, as one; nobody is named</source>
        <translation>Dieselben Wörter aller anderen der Abteilung, als Ganzes; niemand wird genannt</translation>
    </message>
    <message>
        <source>change of the note</source>
        <translation>Änderung der Notiz</translation>
    </message>
    <message>
        <source>choice</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>F&amp;or all</source>
        <translation>&amp;Für alle</translation>
    </message>
    <message>
        <source>Clear the selection and the search</source>
        <translation>Auswahl und Suche aufheben</translation>
    </message>
    <message>
        <source>Files for {author} are in {folder}.</source>
        <translation>Die Dateien für {author} liegen in {folder}.</translation>
    </message>
    <message>
        <source>&amp;Write 1 file…</source>
        <translation>1 Datei schrei&amp;ben&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Write {n} files…</source>
        <translation>{n} Dateien schrei&amp;ben&#xa0;…</translation>
    </message>
    <message>
        <source>For {author} alone.</source>
        <translation>Nur für {author}.</translation>
    </message>
    <message>
        <source>For all {n} radiologists; for some alone, select them in the table.</source>
        <translation>Für alle {n}; wählen Sie in der Tabelle aus, wenn es nicht alle sein sollen.</translation>
    </message>
    <message>
        <source>For the {n} radiologists selected in the table.</source>
        <translation>Für die {n} in der Tabelle ausgewählten.</translation>
    </message>
    <message>
        <source>For the {n} radiologists that the search shows.</source>
        <translation>Für die {n}, die die Suche zeigt.</translation>
    </message>
    <message>
        <source>There are no statements of these dates to make pages of.</source>
        <translation>Aus diesem Zeitraum gibt es keine Aussagen für Seiten.</translation>
    </message>
</context>
<context>
    <name>figures</name>
    <message>
        <source>How often CT confirmed what the X-ray reports said, word by word.</source>
        <translation>Wie oft die CT bestätigte, was in den Röntgenberichten stand, Wort für Wort.</translation>
    </message>
    <message>
        <source>{n} finding; a curve needs {min}.</source>
        <translation>{n} Befund; eine Kurve braucht {min}.</translation>
    </message>
    <message>
        <source>{n} findings; a curve needs {min}.</source>
        <translation>{n} Befunde; eine Kurve braucht {min}.</translation>
    </message>
    <message>
        <source>Hardly anything here was hedged. Plain “present” and “absent” are judged by their own rates in the table.</source>
        <translation>Fast nichts wurde hier vorsichtig formuliert. Uneingeschränktes „present“ und „absent“ werden nach ihren eigenen Anteilen in der Tabelle beurteilt.</translation>
    </message>
    <message>
        <source>; a perfectly calibrated reader using these words would show {mean} (up to {high}).</source>
        <translation>; wer völlig kalibriert wäre und diese Wörter verwendete, käme auf {mean} (bis {high}).</translation>
    </message>
    <message>
        <source>It is over the hedged findings; plain “present” and “absent” are judged by their own rates in the table.</source>
        <translation>Er bezieht sich auf vorsichtig formulierte Befunde; uneingeschränktes „present“ und „absent“ werden nach ihren eigenen Anteilen in der Tabelle beurteilt.</translation>
    </message>
    <message>
        <source>Luck alone would come to as much in fewer than 1 of 100 such readers.</source>
        <translation>Zufall allein ergäbe ebenso viel bei weniger als 1 von 100 solchen Personen.</translation>
    </message>
    <message>
        <source>Luck alone would come to as much in {n} of 100 such readers.</source>
        <translation>Zufall allein ergäbe ebenso viel bei {n} von 100 solchen Personen.</translation>
    </message>
    <message>
        <source>On the right side of one half: {rate}</source>
        <translation>Auf der richtigen Seite der Mitte: {rate}</translation>
    </message>
    <message>
        <source>Brier score {value}</source>
        <translation>Brier-Score {value}</translation>
    </message>
    <message>
        <source>n = {n}</source>
        <translation>n = {n}</translation>
    </message>
    <message>
        <source>No advice was made for these findings.</source>
        <translation>Zu diesen Befunden wurde keine Empfehlung erstellt.</translation>
    </message>
    <message>
        <source>No change of words is recommended.</source>
        <translation>Keine Änderung der Wörter wird empfohlen.</translation>
    </message>
    <message>
        <source>Tried on {n} findings that the advice was not made from, it brought words and CT closer.</source>
        <translation>Ausprobiert an {n} Befunden, aus denen die Empfehlung nicht entstand, brachte sie Wörter und CT einander näher.</translation>
    </message>
    <message>
        <source>Tried on {n} findings that the advice was not made from, it did not bring words and CT closer.</source>
        <translation>Ausprobiert an {n} Befunden, aus denen die Empfehlung nicht entstand, brachte sie Wörter und CT einander nicht näher.</translation>
    </message>
    <message>
        <source>{words} agrees with what readers take it to mean.</source>
        <translation>{words} bedeutet, was darunter verstanden wird.</translation>
    </message>
    <message>
        <source>{words} agree with what readers take them to mean.</source>
        <translation>{words} bedeuten, was darunter verstanden wird.</translation>
    </message>
    <message>
        <source>No advice on {words}: {reason}</source>
        <translation>Keine Empfehlung zu {words}: {reason}</translation>
    </message>
    <message>
        <source>Once CT found {topic} that the X-ray report did not mention.</source>
        <translation>Einmal fand die CT {topic}, was im Röntgenbericht nicht erwähnt war.</translation>
    </message>
    <message>
        <source>{n} times CT found {topic} that the X-ray report did not mention.</source>
        <translation>{n}-mal fand die CT {topic}, was im Röntgenbericht nicht erwähnt war.</translation>
    </message>
</context>
<context>
    <name>flow</name>
    <message>
        <source>From reports to pairs</source>
        <translation>Von den Berichten zu den Paaren</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>+ {n} more</source>
        <translation>+ {n} weitere</translation>
    </message>
    <message>
        <source>row read</source>
        <translation>Zeile gelesen</translation>
    </message>
    <message>
        <source>rows read</source>
        <translation>Zeilen gelesen</translation>
    </message>
    <message>
        <source>{rows} go on</source>
        <translation>{rows} bleiben</translation>
    </message>
    <message>
        <source>{n} of {begin} {modality} reports go on</source>
        <translation>{n} von {begin} Berichten bleiben ({modality})</translation>
    </message>
    <message>
        <source>{n} drop out, {kept} go on</source>
        <translation>{n} fallen weg, {kept} bleiben</translation>
    </message>
    <message>
        <source>{n}: {reason}</source>
        <translation>{n}: {reason}</translation>
    </message>
    <message>
        <source>Of {rows}, {xray} X-ray and {ct} CT reports came to {pairs}.</source>
        <translation>Von {rows}, daraus {xray} Röntgen- und {ct} CT-Berichte, bleiben {pairs}.</translation>
    </message>
</context>
<context>
    <name>forest</name>
    <message>
        <source>Radiologists beside each other</source>
        <translation>Befundende nebeneinander</translation>
    </message>
    <message>
        <source>ECE* of what was hedged</source>
        <translation>ECE* des vorsichtig Formulierten</translation>
    </message>
    <message>
        <source>confirmed by CT</source>
        <translation>durch CT bestätigt</translation>
    </message>
    <message>
        <source>n = {n}, not enough data</source>
        <translation>n = {n}, nicht genug Daten</translation>
    </message>
    <message>
        <source>{value}  n = {n}</source>
        <translation>{value}  n = {n}</translation>
    </message>
    <message>
        <source>{name}: {n} hedged findings, not enough to tell</source>
        <translation>{name}: {n} vorsichtig formulierte Befunde, zu wenige für eine Aussage</translation>
    </message>
    <message>
        <source>{name}: ECE* {value} from {n} hedged findings</source>
        <translation>{name}: ECE* {value} aus {n} vorsichtig formulierten Befunden</translation>
    </message>
    <message>
        <source>{name}: confirmed {positives} of {n}, {value}</source>
        <translation>{name}: {positives} von {n} bestätigt, {value}</translation>
    </message>
    <message>
        <source>seen together with all others {value}</source>
        <translation>zusammen mit allen anderen betrachtet {value}</translation>
    </message>
    <message>
        <source>luck alone {value}</source>
        <translation>reiner Zufall {value}</translation>
    </message>
    <message>
        <source>readers take it as {range}</source>
        <translation>verstanden als {range}</translation>
    </message>
</context>
<context>
    <name>frontier</name>
    <message>
        <source>Calibration error against information kept</source>
        <translation>Kalibrierungsfehler gegen erhaltene Information</translation>
    </message>
    <message>
        <source>ECE on findings kept aside</source>
        <translation>ECE an zurückgehaltenen Befunden</translation>
    </message>
    <message>
        <source>information about the outcome that the words keep</source>
        <translation>Information über das Ergebnis, die die Wörter behalten</translation>
    </message>
    <message>
        <source>as the words are used now: {ece}</source>
        <translation>wie die Wörter jetzt verwendet werden: {ece}</translation>
    </message>
    <message>
        <source>{price} (now)</source>
        <translation>{price} (jetzt)</translation>
    </message>
    <message>
        <source>{price} (now {now})</source>
        <translation>{price} (jetzt {now})</translation>
    </message>
    <message>
        <source>Price {price}: ECE {ece} on {halves} halves kept aside, {kept} of the information kept, {words} words in use</source>
        <translation>Preis {price}: ECE {ece} an {halves} zurückgehaltenen Hälften, {kept} der Information erhalten, {words} Wörter in Gebrauch</translation>
    </message>
</context>
<context>
    <name>funnel</name>
    <message>
        <source>Funnel plot</source>
        <translation>Trichterdiagramm</translation>
    </message>
    <message>
        <source>confirmed by CT</source>
        <translation>durch CT bestätigt</translation>
    </message>
    <message>
        <source>ECE* beyond the department’s</source>
        <translation>ECE* über dem der Abteilung</translation>
    </message>
    <message>
        <source>hedged findings (n)</source>
        <translation>vorsichtig formulierte Befunde (n)</translation>
    </message>
    <message>
        <source>findings in this phrase (n)</source>
        <translation>Befunde mit dieser Formulierung (n)</translation>
    </message>
    <message>
        <source>99.8 %</source>
        <translation>99,8&#xa0;%</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95&#xa0;%</translation>
    </message>
    <message>
        <source>all together</source>
        <translation>alle zusammen</translation>
    </message>
    <message>
        <source>{name}: {value}, n = {n}</source>
        <translation>{name}: {value}, n = {n}</translation>
    </message>
    <message>
        <source>all others: {value}, n = {n}</source>
        <translation>alle anderen: {value}, n = {n}</translation>
    </message>
    <message>
        <source>{beyond} beyond what the same words come to in the department</source>
        <translation>{beyond} mehr, als dieselben Wörter in der Abteilung ergeben</translation>
    </message>
    <message>
        <source>At n = {n}, chance alone gives {low} to {high} in 95 of 100, {lowest} to {highest} in 998 of 1,000</source>
        <translation>Bei n = {n} ergibt Zufall allein {low} bis {high} in 95 von 100, {lowest} bis {highest} in 998 von 1.000</translation>
    </message>
    <message>
        <source>within what chance gives</source>
        <translation>innerhalb dessen, was Zufall ergibt</translation>
    </message>
    <message>
        <source>outside the 95 % limits</source>
        <translation>außerhalb der 95-%-Grenzen</translation>
    </message>
    <message>
        <source>outside the 99.8 % limits</source>
        <translation>außerhalb der 99,8-%-Grenzen</translation>
    </message>
    <message>
        <source>not enough data</source>
        <translation>nicht genug Daten</translation>
    </message>
</context>
<context>
    <name>help</name>
    <message>
        <source>How to read this</source>
        <translation>So lesen Sie das</translation>
    </message>
    <message>
        <source>What the pictures show, where luck comes in, and what they cannot tell.</source>
        <translation>Was die Bilder zeigen, wo Zufall hineinspielt und was sie nicht sagen können.</translation>
    </message>
    <message>
        <source>Sections of the help</source>
        <translation>Abschnitte der Hilfe</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>The diagram</source>
        <translation>Das Diagramm</translation>
    </message>
    <message>
        <source>From left to right: how certain readers take the words to be, as surveys of radiologists measured it. From bottom to top: how often CT confirmed what was said. On the dashed line the two agree. Below it, words were stronger than CT supported; above it, weaker. The orange line is this radiologist, and 95 of 100 times the truth lies in the shaded interval around it. Each point is a phrase with its own 95 % interval; the strip at the foot shows where the words lie.</source>
        <translation>Von links nach rechts: wie sicher die Wörter verstanden werden, gemessen in Umfragen unter Radiologinnen und Radiologen. Von unten nach oben: wie oft die CT bestätigte, was geschrieben wurde. Auf der gestrichelten Linie stimmt beides überein. Darunter waren die Wörter stärker, als die CT stützte, darüber schwächer. Die orangefarbene Linie ist diese Person, und 95 von 100 Mal liegt die Wahrheit im schattierten Intervall darum. Jeder Punkt ist eine Formulierung mit ihrem eigenen 95-%-Intervall; der Streifen unten zeigt, wo die Wörter liegen.</translation>
    </message>
    <message>
        <source>Click a point, or press Enter on a phrase in the table, to read the sentences behind it with what the CT said.</source>
        <translation>Klicken Sie auf einen Punkt, oder drücken Sie auf einer Formulierung in der Tabelle die Eingabetaste, um die Sätze dahinter zu lesen, mit dem, was in der CT stand.</translation>
    </message>
    <message>
        <source>Where luck comes in</source>
        <translation>Wo Zufall hineinspielt</translation>
    </message>
    <message>
        <source>The expected calibration error (ECE) is the average distance of the line from agreement. It is never 0: even a reader whose words hold perfectly meets lucky and unlucky cases, the more so the fewer there are. The grey band, and “would show 0.06 (up to 0.09)”, say what such a reader would get from the same words. Only what lies clearly outside says something about the words.</source>
        <translation>Der erwartete Kalibrierungsfehler (ECE, expected calibration error) ist der mittlere Abstand der Linie von der Übereinstimmung. Er ist nie 0: Auch wer Wörter verwendet, die genau zutreffen, begegnet günstigen und ungünstigen Fällen, umso mehr, je weniger es sind. Das graue Band und „käme auf 0,06 (bis 0,09)“ sagen, was sich dann aus denselben Wörtern ergäbe. Nur was deutlich außerhalb liegt, sagt etwas über die Wörter.</translation>
    </message>
    <message>
        <source>ECE* leaves out plain “present” and “absent”: they leave luck no room, so that a single finding that CT did not confirm would weigh against everyone. Plain statements are judged by their confirmed rate in the table.</source>
        <translation>ECE* lässt uneingeschränktes „present“ und „absent“ aus: Sie lassen dem Zufall keinen Raum, sodass ein einziger Befund, den die CT nicht bestätigte, gegen alle spräche. Uneingeschränkte Aussagen werden nach ihrem bestätigten Anteil in der Tabelle beurteilt.</translation>
    </message>
    <message>
        <source>What it cannot tell</source>
        <translation>Was es nicht sagen kann</translation>
    </message>
    <message>
        <source>Only patients who had a CT soon after are in it, and those are often the doubtful ones. CT is not always right. Findings are read from the text by a program that errs at times: click a phrase and read the sentences. It describes words, not readers.</source>
        <translation>Nur Patienten mit einer CT bald danach sind enthalten, und das sind oft die unklaren Fälle. Die CT hat nicht immer recht. Befunde werden von einem Programm aus dem Text gelesen, das sich mitunter irrt: Klicken Sie auf eine Formulierung und lesen Sie die Sätze. Beschrieben werden Wörter, nicht Personen.</translation>
    </message>
    <message>
        <source>“Not enough data” is an ordinary state: a rate of few findings says little, whatever it is. What would be enough stands beside it.</source>
        <translation>„Nicht genug Daten“ ist ein gewöhnlicher Zustand: Ein Anteil aus wenigen Befunden sagt wenig, wie immer er ausfällt. Was genügen würde, steht daneben.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>Drop files with X-ray and CT reports on the page. It shows what would come of them before anything is stored, and afterwards each step at which reports dropped out, with the reason.</source>
        <translation>Legen Sie Dateien mit Röntgen- und CT-Berichten auf der Seite ab. Sie zeigt, was daraus würde, bevor etwas gespeichert wird, und danach jeden Schritt, an dem Berichte wegfielen, mit dem Grund.</translation>
    </message>
    <message>
        <source>An X-ray report and the nearest CT report of the same patient that follows it within the time set in Settings make a pair. Only pairs count.</source>
        <translation>Ein Röntgenbericht und der nächste CT-Bericht derselben Person, der innerhalb der eingestellten Zeit folgt, bilden ein Paar. Nur Paare zählen.</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>Extraktion</translation>
    </message>
    <message>
        <source>A program reads which findings a report states and how certain it says they are: rules that can be looked at, or a language model that runs on this computer. Reports that it could not read are listed, never guessed.</source>
        <translation>Ein Programm liest, welche Befunde ein Bericht nennt und wie sicher er sie nennt: Regeln, die man ansehen kann, oder ein Sprachmodell, das auf diesem Computer läuft. Berichte, die es nicht lesen konnte, werden aufgeführt, nie geraten.</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Read some reports yourself to learn how often the program errs. Reports drawn at random measure its precision and recall; those drawn worst first only show where it errs.</source>
        <translation>Lesen Sie einige Berichte selbst, um zu erfahren, wie oft das Programm irrt. Zufällig gezogene Berichte messen seine Präzision und Sensitivität; die zweifelhaftesten zuerst zeigen nur, wo es irrt.</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>What each phrase is taken to mean, as a range and as a curve, and which wordings stand for it. The meanings come from published surveys of radiologists until a survey of your own readers takes their place.</source>
        <translation>Wie jede Formulierung verstanden wird, als Bereich und als Kurve, und welche Wörter für sie stehen. Die Bedeutungen stammen aus veröffentlichten Umfragen unter Radiologinnen und Radiologen, bis eine eigene Umfrage an ihre Stelle tritt.</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Advice says which words would have said what CT found. It is given only where a word was used often enough, its whole interval lies outside its meaning, and the advice lowered the error on halves of the findings that it was not made from.</source>
        <translation>Empfehlungen sagen, welche Wörter gesagt hätten, was die CT zeigte. Es gibt sie nur, wo ein Wort oft genug verwendet wurde, sein ganzes Intervall außerhalb seiner Bedeutung liegt und die Empfehlung den Fehler an Hälften der Befunde senkte, aus denen sie nicht entstand.</translation>
    </message>
    <message>
        <source>“Stable” is the share of resamples of the findings that advise the same direction. The price of information says how dear it is to merge words: a reader who hears fewer different words learns less. Sliders try other settings; nothing holds for others before they are used for all.</source>
        <translation>„Stabil“ ist der Anteil der Bootstrap-Stichproben, die dieselbe Richtung empfehlen. Der Preis der Information sagt, wie teuer es ist, Wörter zusammenzulegen: Wer weniger verschiedene Wörter liest, erfährt weniger. Schieberegler probieren andere Einstellungen aus; nichts gilt für andere, bevor es für alle übernommen ist.</translation>
    </message>
    <message>
        <source>“What if” works out what any other use of words would have come to on the same findings. It cannot know how patients of tomorrow differ from those of yesterday.</source>
        <translation>„Was wäre wenn“ rechnet aus, was ein anderer Gebrauch der Wörter an denselben Befunden ergeben hätte. Es kann nicht wissen, wie sich die Patienten von morgen von denen von gestern unterscheiden.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Radiologists stand by pseudonym or by number of findings, never by their values: with few findings each, a list from best to worst would mostly sort luck.</source>
        <translation>Befundende stehen nach Pseudonym oder nach Zahl der Befunde geordnet, nie nach ihren Werten: Bei jeweils wenigen Befunden würde eine Rangliste vor allem den Zufall sortieren.</translation>
    </message>
    <message>
        <source>Side by side, each value has its interval, and below it the value seen together with all others, which lies nearer to the mean the less there is behind it.</source>
        <translation>Nebeneinander hat jeder Wert sein Intervall, und darunter steht der zusammen mit allen anderen betrachtete Wert, der umso näher am Mittel liegt, je weniger hinter ihm steht.</translation>
    </message>
    <message>
        <source>In the funnel, each radiologist is compared with all others, and the limits hold 95 and 99.8 of 100 radiologists whose words are confirmed as often as the others’. Whoever lies within may still differ: few findings hide differences. Whoever lies outside may see other patients, and among few radiologists one who differs much sets the others apart as well.</source>
        <translation>Im Trichter wird jede befundende Person mit allen anderen verglichen, und zwischen den Grenzen liegen 95 und 99,8 von 100 Befundenden, deren Wörter so oft bestätigt werden wie die der anderen. Wer innerhalb liegt, kann trotzdem abweichen: Wenige Befunde verbergen Unterschiede. Wer außerhalb liegt, sieht vielleicht andere Patienten, und unter wenigen Befundenden setzt jemand, der stark abweicht, auch die anderen ab.</translation>
    </message>
    <message>
        <source>Over time, the difference between before and after feedback stands with its interval. Whoever stood out by chance comes back to the mean without any feedback.</source>
        <translation>Im Zeitverlauf steht der Unterschied zwischen vor und nach der Rückmeldung mit seinem Intervall. Wer zufällig auffiel, kehrt auch ohne Rückmeldung zum Mittel zurück.</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>Rückmeldung</translation>
    </message>
    <message>
        <source>The pages as the radiologist will read them. What is ticked goes in. Pages can be saved as PDF and printed; neither is encrypted, so hand them over like any personal document.</source>
        <translation>Die Seiten, wie die befundende Person sie lesen wird. Was angekreuzt ist, kommt hinein. Die Seiten lassen sich als PDF speichern und drucken; beides ist nicht verschlüsselt, übergeben Sie sie also wie jedes persönliche Dokument.</translation>
    </message>
    <message>
        <source>A personal file opens in RadCal for one radiologist. It is encrypted with a passphrase of its own and holds that radiologist’s results and nothing of anybody else.</source>
        <translation>Eine persönliche Datei öffnet sich in RadCal für eine einzelne Person. Sie ist mit einer eigenen Passphrase verschlüsselt und enthält deren Ergebnisse und nichts von anderen.</translation>
    </message>
    <message>
        <source>Try a sentence</source>
        <translation>Satz ausprobieren</translation>
    </message>
    <message>
        <source>Paste or type a draft, and see beside each word of certainty what the radiologist’s own results say of it. The draft is stored nowhere and is gone when you leave the page.</source>
        <translation>Fügen Sie einen Entwurf ein, oder tippen Sie ihn, und sehen Sie neben jedem Wort der Sicherheit, was die eigenen Ergebnisse der Person dazu sagen. Der Entwurf wird nirgends gespeichert und ist weg, wenn Sie die Seite verlassen.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Every choice stands with its bounds, its default and what it does. Changes hold once they are applied, which makes the results again; Undo takes them back.</source>
        <translation>Jede Einstellung steht mit ihren Grenzen, ihrer Vorgabe und ihrer Wirkung. Änderungen gelten, sobald sie angewendet sind; dabei entstehen die Ergebnisse neu. Zurücknehmen macht sie rückgängig.</translation>
    </message>
    <message>
        <source>Where the data are</source>
        <translation>Wo die Daten sind</translation>
    </message>
    <message>
        <source>Everything is in one encrypted file that opens with its passphrase. Nothing leaves this computer: RadCal has no connection to anything. Without the passphrase nobody can read the file, and nobody can restore it.</source>
        <translation>Alles liegt in einer verschlüsselten Datei, die sich mit ihrer Passphrase öffnet. Nichts verlässt diesen Computer: RadCal hat keinerlei Verbindung nach außen. Ohne die Passphrase kann niemand die Datei lesen und niemand sie wiederherstellen.</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>{help} opens this help at the page on show, {keys} lists all keys. {find} searches in a table, {undo} takes a change back, {back} goes back. Every control can be reached with Tab.</source>
        <translation>{help} öffnet diese Hilfe bei der gezeigten Seite, {keys} führt alle Tasten auf. {find} sucht in einer Tabelle, {undo} nimmt eine Änderung zurück, {back} führt zurück. Jedes Bedienelement ist mit Tab erreichbar.</translation>
    </message>
    <message>
        <source>Once a day RadCal backs up the open workspace, beside it or into a folder that you choose here; on another disk it also outlives the loss of this one. To go back to a backup, choose it under Backups on the first page, or under Restore a backup here. The present file is kept.</source>
        <translation>Einmal am Tag legt RadCal eine Sicherungskopie des offenen Arbeitsbereichs an, daneben oder in einem Ordner, den Sie hier wählen; auf einem anderen Datenträger übersteht sie auch den Verlust von diesem. Um zu einer Sicherungskopie zurückzukehren, wählen Sie sie auf der ersten Seite unter „Sicherungen“ oder hier unter „Wiederherstellen“. Die jetzige Datei bleibt erhalten.</translation>
    </message>
</context>
<context>
    <name>import</name>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>why it was left out</source>
        <translation>warum nicht übernommen</translation>
    </message>
    <message>
        <source>what you can do</source>
        <translation>was Sie tun können</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>reports</source>
        <translation>Berichte</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>bleiben</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>fallen weg</translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>when</source>
        <translation>wann</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>rows read</source>
        <translation>gelesene Zeilen</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>new reports</source>
        <translation>neue Berichte</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>as before</source>
        <translation>wie zuvor</translation>
    </message>
    <message>
        <source>rows left out</source>
        <translation>nicht übernommene Zeilen</translation>
    </message>
    <message>
        <source>{column} is not used.</source>
        <translation>{column} wird nicht verwendet.</translation>
    </message>
    <message>
        <source>{column} is read as {meaning}.</source>
        <translation>{column} wird gelesen als: {meaning}.</translation>
    </message>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>Examinations of other parts of the body, earlier versions, addenda</source>
        <translation>Untersuchungen anderer Körperregionen, frühere Fassungen, Nachträge</translation>
    </message>
    <message>
        <source>Rows that cannot be used; the reasons stand above</source>
        <translation>Zeilen, die nicht verwendet werden können; die Gründe stehen oben</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>enthält</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>nicht übernommen</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>X-ray</source>
        <translation>Röntgen</translation>
    </message>
    <message>
        <source>CT</source>
        <translation>CT</translation>
    </message>
    <message>
        <source>X-ray and CT</source>
        <translation>Röntgen und CT</translation>
    </message>
    <message>
        <source>X-ray and CT reports</source>
        <translation>Röntgen- und CT-Berichte</translation>
    </message>
    <message>
        <source>X-ray reports</source>
        <translation>Röntgenberichte</translation>
    </message>
    <message>
        <source>CT reports</source>
        <translation>CT-Berichte</translation>
    </message>
    <message>
        <source>{n} files</source>
        <translation>{n} Dateien</translation>
    </message>
    <message>
        <source>A row of {where} was left out. {reason}</source>
        <translation>Eine Zeile von {where} wurde nicht übernommen. {reason}</translation>
    </message>
    <message>
        <source>{n} rows of {where} {have} and were left out.</source>
        <translation>{n} Zeilen von {where} {have} und wurden nicht übernommen.</translation>
    </message>
    <message>
        <source>{n} rows of {where} were left out. {reason}</source>
        <translation>{n} Zeilen von {where} wurden nicht übernommen. {reason}</translation>
    </message>
    <message>
        <source>{n} rows of {where} were left out, for {reasons} different reasons.</source>
        <translation>{n} Zeilen von {where} wurden aus {reasons} verschiedenen Gründen nicht übernommen.</translation>
    </message>
    <message>
        <source>{reports} of it are here already; the last reading of a row counts.</source>
        <translation>{reports} daraus sind schon da; es gilt, was zuletzt aus einer Zeile gelesen wird.</translation>
    </message>
    <message>
        <source>One report of it is here already; the last reading of a row counts.</source>
        <translation>Ein Bericht daraus ist schon da; es gilt, was zuletzt aus einer Zeile gelesen wird.</translation>
    </message>
    <message>
        <source>{reports} would be counted twice: they are here from an earlier reading of this file, under other accession numbers.</source>
        <translation>{reports} würden doppelt gezählt: Sie sind aus einem früheren Lesen dieser Datei schon da, unter anderen Accession-Nummern.</translation>
    </message>
    <message>
        <source>One report would be counted twice: it is here from an earlier reading of this file, under another accession number.</source>
        <translation>Ein Bericht würde doppelt gezählt: Er ist aus einem früheren Lesen dieser Datei schon da, unter einer anderen Accession-Nummer.</translation>
    </message>
    <message>
        <source>{reports} of an earlier reading of this file would stay although this reading does not give them.</source>
        <translation>{reports} aus einem früheren Lesen dieser Datei blieben stehen, obwohl sie sich jetzt nicht mehr ergeben.</translation>
    </message>
    <message>
        <source>One report of an earlier reading of this file would stay although this reading does not give it.</source>
        <translation>Ein Bericht aus einem früheren Lesen dieser Datei bliebe stehen, obwohl er sich jetzt nicht mehr ergibt.</translation>
    </message>
    <message>
        <source>{reports} of these were read by people or have a finding that was contested; what was said of them counts no more once they are replaced.</source>
        <translation>{reports} davon wurden von Menschen gelesen oder haben einen angefochtenen Befund; was dazu gesagt wurde, zählt nicht mehr, wenn sie ersetzt sind.</translation>
    </message>
    <message>
        <source>One of these was read by people or has a finding that was contested; what was said of it counts no more once it is replaced.</source>
        <translation>Einer davon wurde von Menschen gelesen oder hat einen angefochtenen Befund; was dazu gesagt wurde, zählt nicht mehr, wenn er ersetzt ist.</translation>
    </message>
    <message>
        <source>report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>Show as a &amp;table</source>
        <translation>Als &amp;Tabelle zeigen</translation>
    </message>
    <message>
        <source>Point at a flow to read its numbers.</source>
        <translation>Zeigen Sie auf einen Strom, um seine Zahlen zu lesen.</translation>
    </message>
    <message>
        <source>Rows left out</source>
        <translation>Nicht übernommene Zeilen</translation>
    </message>
    <message>
        <source>Choose another &amp;column</source>
        <translation>Andere &amp;Spalte wählen</translation>
    </message>
    <message>
        <source>Put the files imported last back on the list, to read them otherwise</source>
        <translation>Die zuletzt importierten Dateien wieder auf die Liste setzen, um sie anders zu lesen</translation>
    </message>
    <message>
        <source>What was assumed</source>
        <translation>Was angenommen wurde</translation>
    </message>
    <message>
        <source>{files}, imported {when}</source>
        <translation>{files}, importiert am {when}</translation>
    </message>
    <message>
        <source>Earlier imports</source>
        <translation>Frühere Importe</translation>
    </message>
    <message>
        <source>From reports to pairs</source>
        <translation>Von den Berichten zu den Paaren</translation>
    </message>
    <message>
        <source>Views of the import</source>
        <translation>Ansichten des Imports</translation>
    </message>
    <message>
        <source>row was left out</source>
        <translation>Zeile wurde nicht übernommen</translation>
    </message>
    <message>
        <source>rows were left out</source>
        <translation>Zeilen wurden nicht übernommen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>{name} ({n})</source>
        <translation>{name} ({n})</translation>
    </message>
    <message>
        <source>Nothing can be imported while the workspace is open to read only.</source>
        <translation>Solange der Arbeitsbereich schreibgeschützt geöffnet ist, kann nichts importiert werden.</translation>
    </message>
    <message>
        <source>&amp;Add report files…</source>
        <translation>Berichtsdateien &amp;hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>A workspace for {files}.</source>
        <translation>Ein Arbeitsbereich für {files}.</translation>
    </message>
    <message>
        <source>A workspace for {files}: {rows}, {pairs}.</source>
        <translation>Ein Arbeitsbereich für {files}: {rows}, {pairs}.</translation>
    </message>
    <message>
        <source>&amp;Make a workspace for these files…</source>
        <translation>&amp;Arbeitsbereich für diese Dateien anlegen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Import reports</source>
        <translation>Berichte &amp;importieren</translation>
    </message>
    <message>
        <source>Wait until what is under way has ended, or cancel it.</source>
        <translation>Warten Sie, bis das Laufende beendet ist, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>What was imported stays in the workspace: the list of files can be undone, an import cannot. To be able to go back, make a copy of the workspace under Settings first.</source>
        <translation>Was importiert wurde, bleibt im Arbeitsbereich: Die Dateiliste lässt sich rückgängig machen, ein Import nicht. Um zurückzukönnen, legen Sie zuvor unter Einstellungen eine Kopie des Arbeitsbereichs an.</translation>
    </message>
    <message>
        <source>No workspace is open. RadCal makes one from the files that you choose.</source>
        <translation>Kein Arbeitsbereich ist geöffnet. RadCal legt einen aus den Dateien an, die Sie wählen.</translation>
    </message>
    <message>
        <source>The sample stays as it is: a workspace of your own is made from these files.</source>
        <translation>Das Beispiel bleibt, wie es ist: Aus diesen Dateien wird ein eigener Arbeitsbereich angelegt.</translation>
    </message>
    <message>
        <source>Nothing has been imported into this workspace yet.</source>
        <translation>In diesen Arbeitsbereich wurde noch nichts importiert.</translation>
    </message>
    <message>
        <source>{rows} were read, {n} of them left out. The workspace holds {pairs} of X-ray and CT reports.</source>
        <translation>{rows} gelesen, {n} davon nicht übernommen. Der Arbeitsbereich enthält {pairs} von Röntgen- und CT-Berichten.</translation>
    </message>
    <message>
        <source>The workspace holds {pairs} of X-ray and CT reports; {rows} of its imports were left out.</source>
        <translation>Der Arbeitsbereich enthält {pairs} von Röntgen- und CT-Berichten; {rows} seiner Importe wurden nicht übernommen.</translation>
    </message>
    <message>
        <source>X-ray and CT reports as CSV, TSV or Excel, or a folder of text files with a manifest. Before anything is imported you see what would be read. Nothing leaves this computer.</source>
        <translation>Röntgen- und CT-Berichte als CSV, TSV oder Excel, oder ein Ordner mit Textdateien und einem Manifest. Bevor etwas importiert wird, sehen Sie, was gelesen würde. Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>The sample stays as it is: a workspace of your own is made from your files.</source>
        <translation>Das Beispiel bleibt, wie es ist: Aus Ihren Dateien wird ein eigener Arbeitsbereich angelegt.</translation>
    </message>
    <message>
        <source>The workspace holds {pairs} of X-ray and CT reports.</source>
        <translation>Der Arbeitsbereich enthält {pairs} von Röntgen- und CT-Berichten.</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>List files again</source>
        <translation>Dateien wieder aufführen</translation>
    </message>
    <message>
        <source>Remove files</source>
        <translation>Dateien entfernen</translation>
    </message>
    <message>
        <source>Change how {name} is read</source>
        <translation>Ändern, wie {name} gelesen wird</translation>
    </message>
    <message>
        <source>Looking into {name}…</source>
        <translation>{name} wird angesehen&#xa0;…</translation>
    </message>
    <message>
        <source>{name} cannot be read.</source>
        <translation>{name} kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{name}: no column was recognised for {what}. Choose it on the left.</source>
        <translation>{name}: Für {what} wurde keine Spalte erkannt. Wählen Sie sie links.</translation>
    </message>
    <message>
        <source>Add the files that hold your X-ray and CT reports.</source>
        <translation>Fügen Sie die Dateien mit Ihren Röntgen- und CT-Berichten hinzu.</translation>
    </message>
    <message>
        <source>{name} was imported before, in another way. Say below whether this reading takes the place of that one.</source>
        <translation>{name} wurde schon importiert, aber anders gelesen. Sagen Sie unten, ob dieses Lesen das frühere ersetzt.</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird angesehen&#xa0;…</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Choose columns below</source>
        <translation>Spalten unten wählen</translation>
    </message>
    <message>
        <source>Imported before</source>
        <translation>Schon importiert</translation>
    </message>
    <message>
        <source>Replaces</source>
        <translation>Ersetzt früheres</translation>
    </message>
    <message>
        <source>Decide below</source>
        <translation>Unten entscheiden</translation>
    </message>
    <message>
        <source>Look at the dates</source>
        <translation>Daten ansehen</translation>
    </message>
    <message>
        <source>Columns chosen</source>
        <translation>Spalten gewählt</translation>
    </message>
    <message>
        <source>Columns recognised</source>
        <translation>Spalten erkannt</translation>
    </message>
    <message>
        <source>Choose &amp;files…</source>
        <translation>&amp;Dateien wählen&#xa0;…</translation>
    </message>
    <message>
        <source>Choose a f&amp;older…</source>
        <translation>&amp;Ordner wählen&#xa0;…</translation>
    </message>
    <message>
        <source>A folder of text files with a manifest</source>
        <translation>Ein Ordner mit Textdateien und einem Manifest</translation>
    </message>
    <message>
        <source>Drop report files here</source>
        <translation>Berichtsdateien hier ablegen</translation>
    </message>
    <message>
        <source>Report files</source>
        <translation>Berichtsdateien</translation>
    </message>
    <message>
        <source>&amp;Add files…</source>
        <translation>Dateien &amp;hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>Add a f&amp;older…</source>
        <translation>&amp;Ordner hinzufügen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Take the selected files off the list; they stay on the disk (Del)</source>
        <translation>Die ausgewählten Dateien von der Liste nehmen; auf der Platte bleiben sie (Entf)</translation>
    </message>
    <message>
        <source>as the file shows</source>
        <translation>wie die Datei zeigt</translation>
    </message>
    <message>
        <source>day first, 31/03/2024</source>
        <translation>Tag zuerst, 31/03/2024</translation>
    </message>
    <message>
        <source>month first, 03/31/2024</source>
        <translation>Monat zuerst, 03/31/2024</translation>
    </message>
    <message>
        <source>It &amp;holds</source>
        <translation>&amp;Enthält</translation>
    </message>
    <message>
        <source>&amp;Dates are written</source>
        <translation>Schreibung der &amp;Daten</translation>
    </message>
    <message>
        <source>The first rows of the file</source>
        <translation>Die ersten Zeilen der Datei</translation>
    </message>
    <message>
        <source>This reading takes the place of the earlier &amp;one</source>
        <translation>&amp;Dieses Lesen ersetzt das frühere</translation>
    </message>
    <message>
        <source>How {name} is read</source>
        <translation>Wie {name} gelesen wird</translation>
    </message>
    <message>
        <source>This file was imported before and will not be read again.</source>
        <translation>Diese Datei wurde schon importiert und wird nicht noch einmal gelesen.</translation>
    </message>
    <message>
        <source>Some of its dates have the day first and some the month. Dates that fit both are left out; say how they are written to keep them.</source>
        <translation>In einigen ihrer Daten steht der Tag zuerst, in anderen der Monat. Daten, die auf beides passen, werden nicht übernommen; sagen Sie, wie sie geschrieben sind, um sie zu behalten.</translation>
    </message>
    <message>
        <source>the day first</source>
        <translation>dem Tag zuerst</translation>
    </message>
    <message>
        <source>the month first</source>
        <translation>dem Monat zuerst</translation>
    </message>
    <message>
        <source>Nothing in it tells whether 03/04/2024 is in March or in April. It is read with {order}; say how dates are written if that is wrong.</source>
        <translation>Nichts darin verrät, ob 03/04/2024 im März oder im April liegt. Gelesen wird mit {order}; sagen Sie, wie Daten geschrieben sind, falls das nicht stimmt.</translation>
    </message>
    <message>
        <source>All columns that are needed are there.</source>
        <translation>Alle nötigen Spalten sind vorhanden.</translation>
    </message>
    <message>
        <source>S&amp;top counting</source>
        <translation>Zählung an&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Count again</source>
        <translation>&amp;Erneut zählen</translation>
    </message>
    <message>
        <source>Counting what would be read…</source>
        <translation>Es wird gezählt, was gelesen würde&#xa0;…</translation>
    </message>
    <message>
        <source>Counting was stopped. The files can be imported all the same.</source>
        <translation>Die Zählung wurde angehalten. Importieren lassen sich die Dateien trotzdem.</translation>
    </message>
    <message>
        <source>{n} of {files} files cannot be counted yet; their state says why.</source>
        <translation>{n} von {files} Dateien können noch nicht gezählt werden; ihr Stand sagt, warum.</translation>
    </message>
    <message>
        <source>rows would be read</source>
        <translation>Zeilen würden gelesen</translation>
    </message>
    <message>
        <source>of them left out</source>
        <translation>davon nicht übernommen</translation>
    </message>
    <message>
        <source>pairs in the workspace then</source>
        <translation>Paare dann im Arbeitsbereich</translation>
    </message>
    <message>
        <source>Counted twice or left behind: {reports}. Decide that first.</source>
        <translation>Doppelt gezählt oder stehen geblieben: {reports}. Entscheiden Sie das zuerst.</translation>
    </message>
    <message>
        <source>Now it holds {n} pairs.</source>
        <translation>Jetzt enthält er {n} Paare.</translation>
    </message>
    <message>
        <source>These files were imported before; there is nothing to add.</source>
        <translation>Diese Dateien wurden schon importiert; es gibt nichts hinzuzufügen.</translation>
    </message>
    <message>
        <source>No X-ray report would meet a CT report of the same patient. Add the files of the other modality.</source>
        <translation>Kein Röntgenbericht käme mit einem CT-Bericht derselben Person zusammen. Fügen Sie die Dateien der anderen Modalität hinzu.</translation>
    </message>
    <message>
        <source>Here already: {reports}.</source>
        <translation>Schon da: {reports}.</translation>
    </message>
    <message>
        <source>{n}: {reason}</source>
        <translation>{n}: {reason}</translation>
    </message>
    <message>
        <source>{n}: other reasons</source>
        <translation>{n}: andere Gründe</translation>
    </message>
</context>
<context>
    <name>import fields</name>
    <message>
        <source>the accession number</source>
        <translation>die Accession-Nummer</translation>
    </message>
    <message>
        <source>the patient</source>
        <translation>die Patientennummer</translation>
    </message>
    <message>
        <source>the exam</source>
        <translation>die Untersuchung</translation>
    </message>
    <message>
        <source>the exam code</source>
        <translation>den Untersuchungsschlüssel</translation>
    </message>
    <message>
        <source>the body part</source>
        <translation>die Körperregion</translation>
    </message>
    <message>
        <source>the modality</source>
        <translation>die Modalität</translation>
    </message>
    <message>
        <source>the examination time</source>
        <translation>die Untersuchungszeit</translation>
    </message>
    <message>
        <source>the examination date</source>
        <translation>das Untersuchungsdatum</translation>
    </message>
    <message>
        <source>the report text</source>
        <translation>den Berichtstext</translation>
    </message>
    <message>
        <source>the findings</source>
        <translation>den Befundteil</translation>
    </message>
    <message>
        <source>the impression</source>
        <translation>die Beurteilung</translation>
    </message>
    <message>
        <source>who dictated</source>
        <translation>die diktierende Person</translation>
    </message>
    <message>
        <source>who signed</source>
        <translation>die signierende Person</translation>
    </message>
    <message>
        <source>the report status</source>
        <translation>den Berichtsstatus</translation>
    </message>
    <message>
        <source>the addendum number</source>
        <translation>die Nachtragsnummer</translation>
    </message>
    <message>
        <source>the report time</source>
        <translation>die Berichtszeit</translation>
    </message>
    <message>
        <source>the text file</source>
        <translation>die Textdatei</translation>
    </message>
</context>
<context>
    <name>import reasons</name>
    <message>
        <source>The row has more or fewer cells than the header.</source>
        <translation>Die Zeile hat mehr oder weniger Zellen als die Kopfzeile.</translation>
    </message>
    <message>
        <source>have more or fewer cells than the header</source>
        <translation>haben mehr oder weniger Zellen als die Kopfzeile</translation>
    </message>
    <message>
        <source>A quotation mark stands in the wrong place or is never closed.</source>
        <translation>Ein Anführungszeichen steht an falscher Stelle oder wird nie geschlossen.</translation>
    </message>
    <message>
        <source>have a quotation mark in the wrong place</source>
        <translation>haben ein Anführungszeichen an falscher Stelle</translation>
    </message>
    <message>
        <source>The row has no accession number.</source>
        <translation>Die Zeile hat keine Accession-Nummer.</translation>
    </message>
    <message>
        <source>have no accession number</source>
        <translation>haben keine Accession-Nummer</translation>
    </message>
    <message>
        <source>The row has no patient.</source>
        <translation>Die Zeile hat keine Patientennummer.</translation>
    </message>
    <message>
        <source>have no patient</source>
        <translation>haben keine Patientennummer</translation>
    </message>
    <message>
        <source>A spreadsheet rounded the accession or patient number.</source>
        <translation>Eine Tabellenkalkulation hat die Accession- oder Patientennummer gerundet.</translation>
    </message>
    <message>
        <source>have a number that a spreadsheet rounded</source>
        <translation>haben eine Nummer, die eine Tabellenkalkulation gerundet hat,</translation>
    </message>
    <message>
        <source>The row has no examination time.</source>
        <translation>Die Zeile hat keine Untersuchungszeit.</translation>
    </message>
    <message>
        <source>have no examination time</source>
        <translation>haben keine Untersuchungszeit</translation>
    </message>
    <message>
        <source>The examination time cannot be read.</source>
        <translation>Die Untersuchungszeit kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>have an examination time that cannot be read</source>
        <translation>haben eine Untersuchungszeit, die nicht gelesen werden kann,</translation>
    </message>
    <message>
        <source>Day and month cannot be told apart: the file holds both orders.</source>
        <translation>Tag und Monat sind nicht zu unterscheiden: Die Datei enthält beide Reihenfolgen.</translation>
    </message>
    <message>
        <source>have a date in which day and month cannot be told apart</source>
        <translation>haben ein Datum, in dem Tag und Monat nicht zu unterscheiden sind,</translation>
    </message>
    <message>
        <source>The report has no text.</source>
        <translation>Der Bericht hat keinen Text.</translation>
    </message>
    <message>
        <source>have no report text</source>
        <translation>haben keinen Berichtstext</translation>
    </message>
    <message>
        <source>The modality is unknown.</source>
        <translation>Die Modalität ist unbekannt.</translation>
    </message>
    <message>
        <source>do not say whether they are of an X-ray or a CT</source>
        <translation>sagen nicht, ob sie zu einer Röntgenaufnahme oder einer CT gehören,</translation>
    </message>
    <message>
        <source>The report is marked as cancelled.</source>
        <translation>Der Bericht ist als storniert gekennzeichnet.</translation>
    </message>
    <message>
        <source>are marked as cancelled</source>
        <translation>sind als storniert gekennzeichnet</translation>
    </message>
    <message>
        <source>The accession number occurs again with another text, and nothing says which is the later.</source>
        <translation>Die Accession-Nummer kommt noch einmal mit anderem Text vor, und nichts sagt, welcher der spätere ist.</translation>
    </message>
    <message>
        <source>share an accession number and have different texts</source>
        <translation>haben dieselbe Accession-Nummer und verschiedene Texte</translation>
    </message>
    <message>
        <source>The accession number occurs with two patients.</source>
        <translation>Die Accession-Nummer kommt bei zwei Patienten vor.</translation>
    </message>
    <message>
        <source>share an accession number and name two patients</source>
        <translation>haben dieselbe Accession-Nummer und nennen zwei Patienten</translation>
    </message>
    <message>
        <source>The manifest names no text file.</source>
        <translation>Das Manifest nennt keine Textdatei.</translation>
    </message>
    <message>
        <source>name no text file</source>
        <translation>nennen keine Textdatei</translation>
    </message>
    <message>
        <source>The manifest names a text file that is not in the folder.</source>
        <translation>Das Manifest nennt eine Textdatei, die nicht im Ordner liegt.</translation>
    </message>
    <message>
        <source>name a text file that is not in the folder</source>
        <translation>nennen eine Textdatei, die nicht im Ordner liegt,</translation>
    </message>
    <message>
        <source>The text file cannot be read.</source>
        <translation>Die Textdatei kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>name a text file that cannot be read</source>
        <translation>nennen eine Textdatei, die nicht gelesen werden kann,</translation>
    </message>
    <message>
        <source>The text file is not in the manifest.</source>
        <translation>Die Textdatei steht nicht im Manifest.</translation>
    </message>
    <message>
        <source>are text files that the manifest does not name</source>
        <translation>sind Textdateien, die das Manifest nicht nennt,</translation>
    </message>
    <message>
        <source>Look for an unquoted separator or line break in the row, or export the file with all cells quoted.</source>
        <translation>Suchen Sie in der Zeile ein Trennzeichen oder einen Zeilenumbruch ohne Anführungszeichen, oder exportieren Sie die Datei mit allen Zellen in Anführungszeichen.</translation>
    </message>
    <message>
        <source>Close, double or remove the quotation mark in this row, or export the file with quotation marks doubled.</source>
        <translation>Schließen, verdoppeln oder entfernen Sie das Anführungszeichen in dieser Zeile, oder exportieren Sie die Datei mit verdoppelten Anführungszeichen.</translation>
    </message>
    <message>
        <source>Export the row again with its accession number.</source>
        <translation>Exportieren Sie die Zeile noch einmal mit ihrer Accession-Nummer.</translation>
    </message>
    <message>
        <source>Export the row again with its patient number.</source>
        <translation>Exportieren Sie die Zeile noch einmal mit ihrer Patientennummer.</translation>
    </message>
    <message>
        <source>Export the file again and do not save it from a spreadsheet, or format the column as text first.</source>
        <translation>Exportieren Sie die Datei noch einmal, ohne sie aus einer Tabellenkalkulation zu speichern, oder formatieren Sie die Spalte vorher als Text.</translation>
    </message>
    <message>
        <source>Export the row again with its time, or map another column.</source>
        <translation>Exportieren Sie die Zeile noch einmal mit ihrer Zeit, oder ordnen Sie eine andere Spalte zu.</translation>
    </message>
    <message>
        <source>Write the time as 2024-03-31 14:05, or map another column.</source>
        <translation>Schreiben Sie die Zeit als 2024-03-31 14:05, oder ordnen Sie eine andere Spalte zu.</translation>
    </message>
    <message>
        <source>Write the times as 2024-03-31 14:05, or say which order the file has.</source>
        <translation>Schreiben Sie die Zeiten als 2024-03-31 14:05, oder sagen Sie, welche Reihenfolge die Datei hat.</translation>
    </message>
    <message>
        <source>Export the row again with its text, or map another column.</source>
        <translation>Exportieren Sie die Zeile noch einmal mit ihrem Text, oder ordnen Sie eine andere Spalte zu.</translation>
    </message>
    <message>
        <source>Fill the modality or the exam of this row, or read X-ray and CT reports from files of their own.</source>
        <translation>Füllen Sie Modalität oder Untersuchung dieser Zeile aus, oder lesen Sie Röntgen- und CT-Berichte aus getrennten Dateien.</translation>
    </message>
    <message>
        <source>Nothing, unless the mark is wrong.</source>
        <translation>Nichts, außer die Kennzeichnung ist falsch.</translation>
    </message>
    <message>
        <source>Keep the right row, or export status, addendum number or report time too.</source>
        <translation>Behalten Sie die richtige Zeile, oder exportieren Sie auch Status, Nachtragsnummer oder Berichtszeit.</translation>
    </message>
    <message>
        <source>Find out whose report it is and remove the other row.</source>
        <translation>Finden Sie heraus, zu wem der Bericht gehört, und entfernen Sie die andere Zeile.</translation>
    </message>
    <message>
        <source>Fill in the file of this row.</source>
        <translation>Tragen Sie die Datei dieser Zeile ein.</translation>
    </message>
    <message>
        <source>Add the text file to the folder, or remove the row.</source>
        <translation>Legen Sie die Textdatei in den Ordner, oder entfernen Sie die Zeile.</translation>
    </message>
    <message>
        <source>Check that it is plain text and that you may open it.</source>
        <translation>Prüfen Sie, ob es reiner Text ist und ob Sie ihn öffnen dürfen.</translation>
    </message>
    <message>
        <source>Add a row for it to the manifest.</source>
        <translation>Ergänzen Sie im Manifest eine Zeile dafür.</translation>
    </message>
    <message>
        <source>A quotation mark opens in this row and is never closed.</source>
        <translation>In dieser Zeile öffnet ein Anführungszeichen, das nie geschlossen wird.</translation>
    </message>
    <message>
        <source>have a quotation mark that is never closed</source>
        <translation>haben ein Anführungszeichen, das nie geschlossen wird</translation>
    </message>
    <message>
        <source>The manifest names a text file by a name that is too long for any file.</source>
        <translation>Das Manifest nennt eine Textdatei mit einem Namen, der für jede Datei zu lang ist.</translation>
    </message>
    <message>
        <source>name a text file by a name that is too long</source>
        <translation>nennen eine Textdatei mit einem zu langen Namen</translation>
    </message>
    <message>
        <source>The text file is a link that leads back to itself.</source>
        <translation>Die Textdatei ist eine Verknüpfung, die auf sich selbst zurückführt.</translation>
    </message>
    <message>
        <source>name a link that leads back to itself</source>
        <translation>nennen eine Verknüpfung, die auf sich selbst zurückführt</translation>
    </message>
    <message>
        <source>What the manifest names is a folder, a pipe or a device, not a text file.</source>
        <translation>Was das Manifest nennt, ist ein Ordner, eine Pipe oder ein Gerät, keine Textdatei.</translation>
    </message>
    <message>
        <source>name a folder, a pipe or a device instead of a text file</source>
        <translation>nennen einen Ordner, eine Pipe oder ein Gerät statt einer Textdatei</translation>
    </message>
    <message>
        <source>Close or remove the quotation mark in this row, or export the file with quotation marks doubled.</source>
        <translation>Schließen oder entfernen Sie das Anführungszeichen in dieser Zeile, oder exportieren Sie die Datei mit verdoppelten Anführungszeichen.</translation>
    </message>
    <message>
        <source>Correct the file of this row: look for a missing separator, too.</source>
        <translation>Berichtigen Sie die Datei dieser Zeile; suchen Sie auch nach einem fehlenden Trennzeichen.</translation>
    </message>
    <message>
        <source>Put the text file itself into the folder.</source>
        <translation>Legen Sie die Textdatei selbst in den Ordner.</translation>
    </message>
    <message>
        <source>Correct the file of this row, or put a text file there.</source>
        <translation>Berichtigen Sie die Datei dieser Zeile, oder legen Sie dort eine Textdatei ab.</translation>
    </message>
</context>
<context>
    <name>import steps</name>
    <message>
        <source>rows read</source>
        <translation>gelesene Zeilen</translation>
    </message>
    <message>
        <source>row is whole</source>
        <translation>Zeile ist vollständig</translation>
    </message>
    <message>
        <source>is an X-ray or a CT</source>
        <translation>ist eine Röntgenaufnahme oder eine CT</translation>
    </message>
    <message>
        <source>reports of this modality</source>
        <translation>Berichte dieser Modalität</translation>
    </message>
    <message>
        <source>shows the chest</source>
        <translation>zeigt den Thorax</translation>
    </message>
    <message>
        <source>has all that is needed</source>
        <translation>hat alles Nötige</translation>
    </message>
    <message>
        <source>accession number means one report</source>
        <translation>Accession-Nummer meint einen Bericht</translation>
    </message>
    <message>
        <source>is not a repeated row</source>
        <translation>ist keine wiederholte Zeile</translation>
    </message>
    <message>
        <source>is the latest version</source>
        <translation>ist die letzte Fassung</translation>
    </message>
    <message>
        <source>is a report of its own</source>
        <translation>ist ein eigener Bericht</translation>
    </message>
    <message>
        <source>has a radiologist to attribute it to</source>
        <translation>hat eine befundende Person</translation>
    </message>
    <message>
        <source>the patient has a chest CT</source>
        <translation>es gibt eine Thorax-CT derselben Person</translation>
    </message>
    <message>
        <source>the CT is not before the X-ray</source>
        <translation>die CT liegt nicht vor dem Röntgen</translation>
    </message>
    <message>
        <source>has a CT within {hours} h</source>
        <translation>hat eine CT innerhalb von {hours} h</translation>
    </message>
    <message>
        <source>its CT is free</source>
        <translation>ihre CT ist frei</translation>
    </message>
    <message>
        <source>the patient has a chest X-ray</source>
        <translation>es gibt einen Röntgen-Thorax derselben Person</translation>
    </message>
    <message>
        <source>the X-ray is not after the CT</source>
        <translation>das Röntgen liegt nicht nach der CT</translation>
    </message>
    <message>
        <source>has an X-ray within {hours} h before</source>
        <translation>hat ein Röntgen höchstens {hours} h zuvor</translation>
    </message>
    <message>
        <source>its X-ray is free</source>
        <translation>ihr Röntgen ist frei</translation>
    </message>
    <message>
        <source>another kind of examination</source>
        <translation>andere Art der Untersuchung</translation>
    </message>
    <message>
        <source>not an X-ray, for which the file was given</source>
        <translation>kein Röntgen, wofür die Datei angegeben war</translation>
    </message>
    <message>
        <source>not a CT, for which the file was given</source>
        <translation>keine CT, wofür die Datei angegeben war</translation>
    </message>
    <message>
        <source>the exam is not named</source>
        <translation>die Untersuchung ist nicht genannt</translation>
    </message>
    <message>
        <source>another part of the body</source>
        <translation>andere Körperregion</translation>
    </message>
    <message>
        <source>the same text occurs again</source>
        <translation>derselbe Text kommt noch einmal vor</translation>
    </message>
    <message>
        <source>superseded by versions that contradict each other</source>
        <translation>ersetzt durch Fassungen, die einander widersprechen</translation>
    </message>
    <message>
        <source>superseded by a later version</source>
        <translation>ersetzt durch eine spätere Fassung</translation>
    </message>
    <message>
        <source>its row was read again, otherwise</source>
        <translation>seine Zeile wurde noch einmal und anders gelesen</translation>
    </message>
    <message>
        <source>an addendum, joined to its report</source>
        <translation>ein Nachtrag, seinem Bericht angefügt</translation>
    </message>
    <message>
        <source>no radiologist</source>
        <translation>keine befundende Person</translation>
    </message>
    <message>
        <source>left out: preliminary, not signed</source>
        <translation>nicht übernommen: vorläufig, nicht signiert</translation>
    </message>
    <message>
        <source>left out: names no radiologist</source>
        <translation>nicht übernommen: nennt keine befundende Person</translation>
    </message>
    <message>
        <source>left out: dictated and signed by two</source>
        <translation>nicht übernommen: von zweien diktiert und signiert</translation>
    </message>
    <message>
        <source>left out: of several radiologists</source>
        <translation>nicht übernommen: von mehreren Befundenden</translation>
    </message>
    <message>
        <source>left out: not signed</source>
        <translation>nicht übernommen: nicht signiert</translation>
    </message>
    <message>
        <source>no chest CT of this patient</source>
        <translation>keine Thorax-CT derselben Person</translation>
    </message>
    <message>
        <source>the patient&apos;s CTs were before the X-ray</source>
        <translation>alle CTs derselben Person lagen vor dem Röntgen</translation>
    </message>
    <message>
        <source>the next CT was later than {hours} h after the X-ray</source>
        <translation>die nächste CT lag mehr als {hours} h nach dem Röntgen</translation>
    </message>
    <message>
        <source>the CT belongs to an X-ray nearer in time</source>
        <translation>die CT gehört zu einem zeitlich näheren Röntgen</translation>
    </message>
    <message>
        <source>no attributed chest X-ray of this patient</source>
        <translation>kein zugeordneter Röntgen-Thorax derselben Person</translation>
    </message>
    <message>
        <source>the patient&apos;s X-rays were after the CT</source>
        <translation>alle Röntgenaufnahmen derselben Person lagen nach der CT</translation>
    </message>
    <message>
        <source>the last X-ray was more than {hours} h before the CT</source>
        <translation>das letzte Röntgen lag mehr als {hours} h vor der CT</translation>
    </message>
    <message>
        <source>the X-ray belongs to a CT nearer in time</source>
        <translation>das Röntgen gehört zu einer zeitlich näheren CT</translation>
    </message>
    <message>
        <source>left out: preliminary, perhaps not signed</source>
        <translation>nicht übernommen: vorläufig, vielleicht nicht signiert</translation>
    </message>
</context>
<context>
    <name>keys</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Open a workspace</source>
        <translation>Arbeitsbereich öffnen</translation>
    </message>
    <message>
        <source>Make a workspace from report files</source>
        <translation>Arbeitsbereich aus Berichtsdateien anlegen</translation>
    </message>
    <message>
        <source>Save the page of the chosen radiologist as PDF</source>
        <translation>Seite der gewählten Person als PDF speichern</translation>
    </message>
    <message>
        <source>Undo the last change on this page</source>
        <translation>Letzte Änderung auf dieser Seite zurücknehmen</translation>
    </message>
    <message>
        <source>Do it again</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Search in the table of this page</source>
        <translation>In der Tabelle dieser Seite suchen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>This list</source>
        <translation>Diese Liste</translation>
    </message>
    <message>
        <source>To the message above the page, to the task under way, and back</source>
        <translation>Zur Meldung über der Seite, zur laufenden Aufgabe und zurück</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>To the next control; with Shift to the one before</source>
        <translation>Zum nächsten Bedienelement; mit Umschalt zum vorigen</translation>
    </message>
    <message>
        <source>Quit; work under way is asked about first</source>
        <translation>Beenden; läuft noch etwas, wird vorher gefragt</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Radiologist</source>
        <translation>Befundende Person</translation>
    </message>
    <message>
        <source>Pathology</source>
        <translation>Pathologie</translation>
    </message>
    <message>
        <source>The one before, the next one</source>
        <translation>Vorige, nächste</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Copy the selected rows, with their header</source>
        <translation>Ausgewählte Zeilen kopieren, mit Kopfzeile</translation>
    </message>
    <message>
        <source>Open the row</source>
        <translation>Zeile öffnen</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>From mark to mark, reading their numbers</source>
        <translation>Von Marke zu Marke, mit deren Zahlen</translation>
    </message>
    <message>
        <source>Open what the mark stands for, where it leads somewhere</source>
        <translation>Öffnen, wofür die Marke steht, wo sie weiterführt</translation>
    </message>
    <message>
        <source>Advice: what if</source>
        <translation>Empfehlungen: Was wäre wenn</translation>
    </message>
    <message>
        <source>Choose a band</source>
        <translation>Ein Band wählen</translation>
    </message>
    <message>
        <source>In fewer cases, in more</source>
        <translation>In weniger Fällen, in mehr</translation>
    </message>
    <message>
        <source>To another word</source>
        <translation>Zu einem anderen Wort</translation>
    </message>
    <message>
        <source>Take the change back</source>
        <translation>Die Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>Rückmeldung</translation>
    </message>
    <message>
        <source>Print the pages</source>
        <translation>Seiten drucken</translation>
    </message>
    <message>
        <source>Larger, smaller</source>
        <translation>Größer, kleiner</translation>
    </message>
    <message>
        <source>Fit the width</source>
        <translation>An die Breite anpassen</translation>
    </message>
    <message>
        <source>The next page, the one before</source>
        <translation>Nächste Seite, vorige Seite</translation>
    </message>
    <message>
        <source>Try a sentence</source>
        <translation>Satz ausprobieren</translation>
    </message>
    <message>
        <source>The next suggestion, the one before</source>
        <translation>Nächster Vorschlag, voriger Vorschlag</translation>
    </message>
    <message>
        <source>Use the suggestion</source>
        <translation>Vorschlag verwenden</translation>
    </message>
</context>
<context>
    <name>lexicon</name>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>readers take it as</source>
        <translation>verstanden als</translation>
    </message>
    <message>
        <source>said</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>advise</source>
        <translation>empfehlen</translation>
    </message>
    <message>
        <source>synonyms</source>
        <translation>Synonyme</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>How often it was found in the paired X-ray and CT reports.</source>
        <translation>Wie oft sie in den gepaarten Röntgen- und CT-Berichten vorkam.</translation>
    </message>
    <message>
        <source>Advice may propose the words that are ticked.</source>
        <translation>Empfehlungen dürfen die angekreuzten Wörter vorschlagen.</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>What the phrases mean</source>
        <translation>Was die Formulierungen bedeuten</translation>
    </message>
    <message>
        <source>Up and Down choose a phrase, Left and Right move its mean, with Shift they change its spread.</source>
        <translation>Auf und Ab wählen eine Formulierung, Links und Rechts verschieben ihren Mittelwert, mit Umschalt ändern sie ihre Streuung.</translation>
    </message>
    <message>
        <source>certainty that readers take from the words</source>
        <translation>verstandene Sicherheit</translation>
    </message>
    <message>
        <source>“{phrase}” is in the other list alone: mean {mean}, {range}</source>
        <translation>„{phrase}“ steht nur in der anderen Liste: Mittelwert {mean}, {range}</translation>
    </message>
    <message>
        <source>“{phrase}”: mean {mean}, readers take it as {range}</source>
        <translation>„{phrase}“: Mittelwert {mean}, verstanden als {range}</translation>
    </message>
    <message>
        <source>the other list: mean {mean}, {range}</source>
        <translation>die andere Liste: Mittelwert {mean}, {range}</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>{what}</source>
        <translation>{what}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Stopped. {name} is as it was, or wholly as in the backup; open it to see which.</source>
        <translation>Angehalten. {name} ist wie vorher oder ganz wie in der Sicherungskopie; öffnen Sie die Datei, um es zu sehen.</translation>
    </message>
    <message>
        <source>Open to read only</source>
        <translation>Schreibgeschützt öffnen</translation>
    </message>
    <message>
        <source>{name} is open to read only: results can be looked at and saved as PDF, but nothing can be imported.</source>
        <translation>{name} ist schreibgeschützt geöffnet: Ergebnisse können angesehen und als PDF gespeichert werden, aber nichts kann importiert werden.</translation>
    </message>
    <message>
        <source>More reports were imported than these results are made from. Close the workspace in the other RadCal, then open it here again, to bring them up to date.</source>
        <translation>Es wurden mehr Berichte importiert, als in diesen Ergebnissen stecken. Schließen Sie den Arbeitsbereich im anderen RadCal und öffnen Sie ihn hier erneut, um sie zu aktualisieren.</translation>
    </message>
    <message>
        <source>The sample could not be opened. {what}</source>
        <translation>Das Beispiel konnte nicht geöffnet werden. {what}</translation>
    </message>
    <message>
        <source>Choose other files</source>
        <translation>Andere Dateien wählen</translation>
    </message>
    <message>
        <source>Stopped. What was done until then is kept in the workspace; it goes on from there.</source>
        <translation>Angehalten. Bis dahin Erledigtes ist im Arbeitsbereich aufbewahrt; von dort geht es weiter.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>See the rows</source>
        <translation>Zeilen ansehen</translation>
    </message>
    <message>
        <source>Choose another column</source>
        <translation>Andere Spalte wählen</translation>
    </message>
    <message>
        <source>{failed} of {total} reports could not be read by the engine. They are left out of every figure.</source>
        <translation>{failed} von {total} Berichten konnte das Leseverfahren nicht lesen. Sie sind in keiner Zahl mitgezählt.</translation>
    </message>
    <message>
        <source>See why, or try again</source>
        <translation>Gründe ansehen oder erneut versuchen</translation>
    </message>
    <message>
        <source>{what} not in the list of phrases. Their findings are counted but have no meaning to compare with: {examples}.</source>
        <translation>{what} nicht in der Liste der Formulierungen. Die Befunde sind gezählt, haben aber keine Bedeutung zum Vergleichen: {examples}.</translation>
    </message>
    <message>
        <source>Place them in Words</source>
        <translation>In „Wörter“ zuordnen</translation>
    </message>
    <message>
        <source>All results are made from another reading of the reports now. Nothing was read again or lost.</source>
        <translation>Alle Ergebnisse stammen jetzt aus einem anderen Lauf. Nichts wurde erneut gelesen, nichts ging verloren.</translation>
    </message>
    <message>
        <source>Back to the one before</source>
        <translation>Zurück zum vorigen</translation>
    </message>
    <message>
        <source>All results are made from what the engine has read now. What was read before is kept and can be shown again.</source>
        <translation>Alle Ergebnisse stammen jetzt aus dem, was das Leseverfahren soeben gelesen hat. Was zuvor gelesen wurde, bleibt erhalten und kann wieder gezeigt werden.</translation>
    </message>
    <message>
        <source>Back up…</source>
        <translation>Sicherungskopie …</translation>
    </message>
    <message>
        <source>{name} was taken off the list of workspaces. The file is where it was.</source>
        <translation>{name} steht nicht mehr in der Liste der Arbeitsbereiche. Die Datei ist, wo sie war.</translation>
    </message>
    <message>
        <source>Put it back</source>
        <translation>Wieder aufnehmen</translation>
    </message>
    <message>
        <source>The page for {author} was saved as {file}.</source>
        <translation>Die Seite für {author} wurde als {file} gespeichert.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>The page for {author} was not saved. {what}</source>
        <translation>Die Seite für {author} wurde nicht gespeichert. {what}</translation>
    </message>
    <message>
        <source>Save elsewhere</source>
        <translation>Anderswo speichern</translation>
    </message>
    <message>
        <source>This could not be done. {what}</source>
        <translation>Das war nicht möglich. {what}</translation>
    </message>
    <message>
        <source>Saved as {file}.</source>
        <translation>Gespeichert als {file}.</translation>
    </message>
    <message>
        <source>RadCal met an error of its own. What is stored in the workspace is safe. The details name places in the program, no report text.</source>
        <translation>In RadCal ist ein Fehler aufgetreten. Was im Arbeitsbereich gespeichert ist, ist sicher. Die Einzelheiten nennen Stellen im Programm, keinen Berichtstext.</translation>
    </message>
    <message>
        <source>Copy the details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Save a copy…</source>
        <translation>Kopie sichern&#xa0;…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>Sicherungskopie wiederherstellen&#xa0;…</translation>
    </message>
    <message>
        <source>{name} was restored from a backup. {what}</source>
        <translation>{name} wurde aus einer Sicherungskopie wiederhergestellt. {what}</translation>
    </message>
    <message>
        <source>Part of {name} is damaged ({damaged} of {pages} pages of the file) and cannot be read any more. Go back to a backup, or see first what can still be read.</source>
        <translation>Ein Teil von {name} ist beschädigt ({damaged} von {pages} Seiten der Datei) und nicht mehr lesbar. Kehren Sie zu einer Sicherungskopie zurück, oder sehen Sie zuerst nach, was noch lesbar ist.</translation>
    </message>
    <message>
        <source>Check the file…</source>
        <translation>Datei prüfen&#xa0;…</translation>
    </message>
    <message>
        <source>Today’s backup was not made. {what}</source>
        <translation>Die heutige Sicherungskopie wurde nicht erstellt. {what}</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen&#xa0;…</translation>
    </message>
</context>
<context>
    <name>multiples</name>
    <message>
        <source>Show &amp;names</source>
        <translation>&amp;Namen zeigen</translation>
    </message>
    <message>
        <source>Several radiologists side by side are shown under pseudonyms</source>
        <translation>Mehrere Befundende nebeneinander werden unter Pseudonymen gezeigt</translation>
    </message>
    <message>
        <source>Working out these days…</source>
        <translation>Dieser Zeitraum wird berechnet&#xa0;…</translation>
    </message>
    <message>
        <source>{name}: all pathologies</source>
        <translation>{name}: alle Pathologien</translation>
    </message>
    <message>
        <source>{name}: all radiologists</source>
        <translation>{name}: alle Befundenden</translation>
    </message>
    <message>
        <source>Same axes everywhere. Point at a diagram to read it, click to open it.</source>
        <translation>Überall dieselben Achsen. Zeigen Sie auf ein Diagramm, um es zu lesen; ein Klick öffnet es.</translation>
    </message>
    <message>
        <source>Small diagrams; arrows move, Enter opens</source>
        <translation>Kleine Diagramme; Pfeile bewegen, die Eingabetaste öffnet</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>luck alone up to {high}</source>
        <translation>reiner Zufall bis {high}</translation>
    </message>
    <message>
        <source>{phrase} {rate} of {n}</source>
        <translation>{phrase} {rate} von {n}</translation>
    </message>
</context>
<context>
    <name>new</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>&amp;Wählen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Keep it in</source>
        <translation>&amp;Aufbewahren in</translation>
    </message>
    <message>
        <source>&amp;Passphrase</source>
        <translation>&amp;Passphrase</translation>
    </message>
    <message>
        <source>Passphrase a&amp;gain</source>
        <translation>Passphrase noch ein&amp;mal</translation>
    </message>
    <message>
        <source>Keep the passphrase safe: without it nobody can read the file.</source>
        <translation>Bewahren Sie die Passphrase sicher auf: Ohne sie kann niemand die Datei lesen.</translation>
    </message>
    <message>
        <source>Department</source>
        <translation>Abteilung</translation>
    </message>
    <message>
        <source>Choose where to keep the workspace.</source>
        <translation>Wählen Sie, wo der Arbeitsbereich liegen soll.</translation>
    </message>
    <message>
        <source>{name} is there already. Choose another name, or open it and import there.</source>
        <translation>{name} gibt es schon. Wählen Sie einen anderen Namen, oder öffnen Sie den Arbeitsbereich und importieren Sie dort.</translation>
    </message>
    <message>
        <source>There is no folder {name}. Choose another place.</source>
        <translation>Es gibt keinen Ordner {name}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Type the passphrase a second time; the two are not the same yet.</source>
        <translation>Geben Sie die Passphrase ein zweites Mal ein; noch sind beide nicht gleich.</translation>
    </message>
    <message>
        <source>Keep the workspace in</source>
        <translation>Arbeitsbereich aufbewahren in</translation>
    </message>
    <message>
        <source>New workspace</source>
        <translation>Neuer Arbeitsbereich</translation>
    </message>
    <message>
        <source>&amp;Make the workspace</source>
        <translation>&amp;Arbeitsbereich anlegen</translation>
    </message>
    <message>
        <source>Reports and results stay in one encrypted file that you choose.</source>
        <translation>Berichte und Ergebnisse bleiben in einer verschlüsselten Datei, die Sie wählen.</translation>
    </message>
    <message>
        <source>Choose a passphrase.</source>
        <translation>Wählen Sie eine Passphrase.</translation>
    </message>
    <message>
        <source>Choose another passphrase: this one is too easily guessed.</source>
        <translation>Wählen Sie eine andere Passphrase: Diese ist zu leicht zu erraten.</translation>
    </message>
</context>
<context>
    <name>passphrase</name>
    <message>
        <source>Open a workspace</source>
        <translation>Arbeitsbereich öffnen</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Passphrase of {name}</source>
        <translation>Passphrase von {name}</translation>
    </message>
    <message>
        <source>Without it the workspace cannot be read, by anyone.</source>
        <translation>Ohne sie kann niemand den Arbeitsbereich lesen.</translation>
    </message>
    <message>
        <source>&amp;Show what is typed</source>
        <translation>&amp;Eingabe anzeigen</translation>
    </message>
    <message>
        <source>By somebody who has the file and more than twenty of the fastest graphics cards</source>
        <translation>Von jemandem, der die Datei und mehr als zwanzig der schnellsten Grafikkarten hat</translation>
    </message>
    <message>
        <source>{n} characters or more; four unrelated words are easy to remember and hard to guess.</source>
        <translation>Mindestens {n} Zeichen; vier Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.</translation>
    </message>
</context>
<context>
    <name>pdf view</name>
    <message>
        <source>Preview of the printed pages</source>
        <translation>Vorschau der Druckseiten</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Fit the width</source>
        <translation>An die Breite anpassen</translation>
    </message>
    <message>
        <source>Page {page} of {pages}. {text}</source>
        <translation>Seite {page} von {pages}. {text}</translation>
    </message>
</context>
<context>
    <name>phrases</name>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>said</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>rate, 95 % interval</source>
        <translation>Anteil, 95-%-Intervall</translation>
    </message>
    <message>
        <source>readers take it as</source>
        <translation>verstanden als</translation>
    </message>
    <message>
        <source>“{phrase}”: CT confirmed {positives} of {n}, {rate}. Readers take it as {meaning}.</source>
        <translation>„{phrase}“: CT bestätigte {positives} von {n}, {rate}. Verstanden als {meaning}.</translation>
    </message>
    <message>
        <source>Where CT itself was unsure, a finding counts in part.</source>
        <translation>Wo die CT selbst unsicher war, zählt ein Befund zum Teil.</translation>
    </message>
    <message>
        <source>Said {n} times; advice needs {min}.</source>
        <translation>{n}-mal verwendet; eine Empfehlung braucht {min}.</translation>
    </message>
</context>
<context>
    <name>pictures</name>
    <message>
        <source>Copy or save this picture</source>
        <translation>Dieses Bild kopieren oder speichern</translation>
    </message>
    <message>
        <source>&amp;Copy the picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Save as &amp;PNG…</source>
        <translation>Als &amp;PNG speichern&#xa0;…</translation>
    </message>
    <message>
        <source>Save as &amp;SVG…</source>
        <translation>Als &amp;SVG speichern&#xa0;…</translation>
    </message>
    <message>
        <source>{picture}: copy, save</source>
        <translation>{picture}: kopieren, speichern</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
</context>
<context>
    <name>plan</name>
    <message>
        <source>The plan as a flow from the words of today to those of tomorrow</source>
        <translation>Der Plan als Strom von den Wörtern von heute zu denen von morgen</translation>
    </message>
    <message>
        <source>No word changes.</source>
        <translation>Kein Wort ändert sich.</translation>
    </message>
    <message>
        <source>said today</source>
        <translation>heute verwendet</translation>
    </message>
    <message>
        <source>said tomorrow</source>
        <translation>morgen verwendet</translation>
    </message>
    <message>
        <source>{word}  {n}</source>
        <translation>{word}  {n}</translation>
    </message>
    <message>
        <source>{word} stays as it is ({findings}).</source>
        <translation>{word} bleibt, wie es ist ({findings}).</translation>
    </message>
    <message>
        <source>{source} stays in {share} ({percent} of {findings}).</source>
        <translation>{source} bleibt {share} ({percent}, insgesamt {findings}).</translation>
    </message>
    <message>
        <source>Instead of {source}, {target} in {share} ({percent} of {findings}).</source>
        <translation>Statt {source} {share} {target} ({percent}, insgesamt {findings}).</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>all</source>
        <translation>in allen Fällen</translation>
    </message>
    <message>
        <source>fewer than 1 of 20</source>
        <translation>in weniger als 1 von 20 Fällen</translation>
    </message>
    <message>
        <source>nearly all</source>
        <translation>in fast allen Fällen</translation>
    </message>
    <message>
        <source>{n} of 10</source>
        <translation>in {n} von 10 Fällen</translation>
    </message>
</context>
<context>
    <name>plan editor</name>
    <message>
        <source>The use of words, to be changed by hand</source>
        <translation>Die Verwendung der Wörter, von Hand zu ändern</translation>
    </message>
    <message>
        <source>as it was</source>
        <translation>wie zuvor</translation>
    </message>
    <message>
        <source>{word} in {n} of 10</source>
        <translation>{word} in {n} von 10 Fällen</translation>
    </message>
    <message>
        <source>{word} stays in {n} more of 10</source>
        <translation>{word} bleibt in {n} von 10 Fällen mehr</translation>
    </message>
    <message>
        <source>{word} in {n} of 10, instead of {source}</source>
        <translation>{word} in {n} von 10 Fällen statt {source}</translation>
    </message>
    <message>
        <source>Drag to share the cases of {source} between {above} and {below}.</source>
        <translation>Ziehen, um die Fälle von {source} zwischen {above} und {below} aufzuteilen.</translation>
    </message>
</context>
<context>
    <name>printing</name>
    <message>
        <source>Print {name}</source>
        <translation>{name} drucken</translation>
    </message>
    <message>
        <source>Printing {name}</source>
        <translation>{name} wird gedruckt</translation>
    </message>
</context>
<context>
    <name>rail</name>
    <message>
        <source>Stages</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>reliability</name>
    <message>
        <source>Views of reliability</source>
        <translation>Ansichten der Zuverlässigkeit</translation>
    </message>
    <message>
        <source>One diagram</source>
        <translation>Ein Diagramm</translation>
    </message>
    <message>
        <source>All pathologies</source>
        <translation>Alle Pathologien</translation>
    </message>
    <message>
        <source>All radiologists</source>
        <translation>Alle Befundenden</translation>
    </message>
    <message>
        <source>Without CT</source>
        <translation>Ohne CT</translation>
    </message>
    <message>
        <source>&amp;Save as PDF…</source>
        <translation>Als PDF &amp;speichern&#xa0;…</translation>
    </message>
    <message>
        <source>The radiologist’s personal page, to print or to send (Ctrl+S)</source>
        <translation>Die persönliche Seite der befundenden Person, zum Drucken oder Versenden (Strg+S)</translation>
    </message>
    <message>
        <source>&amp;More</source>
        <translation>&amp;Mehr</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
    <message>
        <source>&amp;Copy the diagram</source>
        <translation>Diagramm &amp;kopieren</translation>
    </message>
    <message>
        <source>All con&amp;tested findings</source>
        <translation>Alle an&amp;gefochtenen Befunde</translation>
    </message>
    <message>
        <source>Save the &amp;diagram as PNG or SVG…</source>
        <translation>&amp;Diagramm als PNG oder SVG speichern&#xa0;…</translation>
    </message>
    <message>
        <source>Phrases</source>
        <translation>Formulierungen</translation>
    </message>
    <message>
        <source>Press Enter on a phrase to read the findings behind it.</source>
        <translation>Mit der Eingabetaste auf einer Formulierung lesen Sie die Befunde dahinter.</translation>
    </message>
    <message>
        <source>Click a phrase to read the findings behind it.</source>
        <translation>Klicken Sie auf eine Formulierung, um die Befunde dahinter zu lesen.</translation>
    </message>
    <message>
        <source>Advice and figures</source>
        <translation>Empfehlungen und Zahlen</translation>
    </message>
    <message>
        <source>Open a workspace, or the sample, to see how words met CT.</source>
        <translation>Öffnen Sie einen Arbeitsbereich oder das Beispiel, um zu sehen, wie sich Wörter an der CT bewährten.</translation>
    </message>
    <message>
        <source>There are no results yet.</source>
        <translation>Es gibt noch keine Ergebnisse.</translation>
    </message>
    <message>
        <source>&amp;Import reports</source>
        <translation>Berichte &amp;importieren</translation>
    </message>
    <message>
        <source>{engine} engine</source>
        <translation>Leseverfahren {engine}</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>No curve yet. {why}
The counts of each phrase stand in the table.</source>
        <translation>Noch keine Kurve. {why}
Die Zahlen jeder Formulierung stehen in der Tabelle.</translation>
    </message>
    <message>
        <source>Save the diagram</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Advice from these days alone stands on the page Advice.</source>
        <translation>Empfehlungen aus diesem Zeitraum allein stehen auf der Seite „Empfehlungen“.</translation>
    </message>
    <message>
        <source>How well the words held</source>
        <translation>Wie gut die Wörter zutrafen</translation>
    </message>
    <message>
        <source>&amp;Why is this so?</source>
        <translation>&amp;Warum ist das so?</translation>
    </message>
    <message>
        <source>Read &amp;more in the help</source>
        <translation>Mehr in der &amp;Hilfe lesen</translation>
    </message>
    <message>
        <source>No curve: it is drawn through hedges, needs {min} of them and has {n}.</source>
        <translation>Keine Kurve: Sie wird durch vorsichtige Formulierungen gezogen, braucht {min} davon und hat {n}.</translation>
    </message>
    <message>
        <source>Point at the diagram to read its numbers.</source>
        <translation>Zeigen Sie auf das Diagramm, um seine Zahlen zu lesen.</translation>
    </message>
    <message>
        <source>Show the {n} not confi&amp;rmed of {phrase}</source>
        <translation>Die {n} nicht bestä&amp;tigten von {phrase} zeigen</translation>
    </message>
    <message>
        <source>confirmed, 95 %</source>
        <translation>bestätigt, 95&#xa0;%</translation>
    </message>
    <message>
        <source>as readers take it</source>
        <translation>wie es verstanden wird</translation>
    </message>
    <message>
        <source>luck alone</source>
        <translation>reiner Zufall</translation>
    </message>
    <message>
        <source>a phrase</source>
        <translation>eine Formulierung</translation>
    </message>
</context>
<context>
    <name>restore</name>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherungskopie wiederherstellen</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Daily backup {n}</source>
        <translation>Tägliche Sicherungskopie {n}</translation>
    </message>
    <message>
        <source>Before RadCal was updated</source>
        <translation>Vor einer neueren Version von RadCal</translation>
    </message>
    <message>
        <source>Put aside when a backup was restored</source>
        <translation>Beim Wiederherstellen beiseitegelegt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Backups of {name}</source>
        <translation>Sicherungskopien von {name}</translation>
    </message>
    <message>
        <source>Looking for backups…</source>
        <translation>Sicherungskopien werden gesucht&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Another file…</source>
        <translation>&amp;Andere Datei&#xa0;…</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>&amp;Passphrase when the backup was made</source>
        <translation>&amp;Passphrase zur Zeit der Sicherung</translation>
    </message>
    <message>
        <source>&amp;Look into it</source>
        <translation>&amp;Hineinsehen</translation>
    </message>
    <message>
        <source>Reads the whole backup and says what it holds; nothing is changed</source>
        <translation>Liest die ganze Sicherungskopie und sagt, was sie enthält; nichts wird geändert</translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>A backup takes the place of {name}. The file that is there now is kept beside it under another name, so that nothing is lost.</source>
        <translation>Eine Sicherungskopie tritt an die Stelle von {name}. Die Datei, die jetzt dort liegt, bleibt daneben unter anderem Namen erhalten, damit nichts verloren geht.</translation>
    </message>
    <message>
        <source>No backups were found beside the workspace. Choose a file if there is one.</source>
        <translation>Neben dem Arbeitsbereich wurden keine Sicherungskopien gefunden. Wählen Sie eine Datei, wenn es eine gibt.</translation>
    </message>
    <message>
        <source>Workspaces (*.radcal)</source>
        <translation>Arbeitsbereiche (*.radcal)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose a backup</source>
        <translation>Sicherungskopie wählen</translation>
    </message>
    <message>
        <source>Reading the backup…</source>
        <translation>Die Sicherungskopie wird gelesen&#xa0;…</translation>
    </message>
</context>
<context>
    <name>review</name>
    <message>
        <source>judgement</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Only the engine says so.</source>
        <translation>Nur das Leseverfahren sagt es.</translation>
    </message>
    <message>
        <source>Not judged yet.</source>
        <translation>Noch nicht beurteilt.</translation>
    </message>
    <message>
        <source>Accepted.</source>
        <translation>Angenommen.</translation>
    </message>
    <message>
        <source>Corrected.</source>
        <translation>Berichtigt.</translation>
    </message>
    <message>
        <source>Added by the reader.</source>
        <translation>Beim Lesen hinzugefügt.</translation>
    </message>
    <message>
        <source>Unsure: left out of every figure.</source>
        <translation>Unsicher: in keiner Zahl mitgezählt.</translation>
    </message>
    <message>
        <source>Removed: the report does not say so.</source>
        <translation>Entfernt: Der Bericht sagt es nicht.</translation>
    </message>
    <message>
        <source>The engine read {pathology}: {phrase}.</source>
        <translation>Das Leseverfahren las {pathology}: {phrase}.</translation>
    </message>
    <message>
        <source>in the gold</source>
        <translation>im Goldstandard</translation>
    </message>
    <message>
        <source>Statements that people found</source>
        <translation>Aussagen, die Menschen gefunden haben</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>Leseverfahren</translation>
    </message>
    <message>
        <source>Statements that the engine found</source>
        <translation>Aussagen, die das Leseverfahren gefunden hat</translation>
    </message>
    <message>
        <source>both</source>
        <translation>beide</translation>
    </message>
    <message>
        <source>Statements that both found</source>
        <translation>Aussagen, die beide gefunden haben</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>How many of the engine’s statements are right, with the 95 % interval</source>
        <translation>Wie viele Aussagen des Leseverfahrens richtig sind, mit 95-%-Intervall</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Sensitivität</translation>
    </message>
    <message>
        <source>How many of the statements the engine found, with the 95 % interval</source>
        <translation>Wie viele der Aussagen das Leseverfahren gefunden hat, mit 95-%-Intervall</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Precision and recall in one figure, with the 95 % interval from drawing reports anew</source>
        <translation>Präzision und Sensitivität in einer Zahl, mit 95-%-Intervall aus neu gezogenen Berichten</translation>
    </message>
    <message>
        <source>pathology mentioned</source>
        <translation>Pathologie erwähnt</translation>
    </message>
    <message>
        <source>present, absent or hedged</source>
        <translation>vorhanden, nicht, vorsichtig</translation>
    </message>
    <message>
        <source>exact phrase</source>
        <translation>genaue Formulierung</translation>
    </message>
    <message>
        <source>agreement on</source>
        <translation>Übereinstimmung über</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Pairs of a report and a pathology</source>
        <translation>Paare aus Bericht und Pathologie</translation>
    </message>
    <message>
        <source>kappa</source>
        <translation>Kappa</translation>
    </message>
    <message>
        <source>Cohen’s kappa, agreement beyond chance, with its 95 % interval; 1 is perfect</source>
        <translation>Cohens Kappa, Übereinstimmung über den Zufall hinaus, mit 95-%-Intervall; 1 ist völlige Übereinstimmung</translation>
    </message>
    <message>
        <source>agree</source>
        <translation>stimmen überein</translation>
    </message>
    <message>
        <source>How often the two agree, chance included</source>
        <translation>Wie oft beide übereinstimmen, Zufall eingeschlossen</translation>
    </message>
    <message>
        <source>by chance</source>
        <translation>durch Zufall</translation>
    </message>
    <message>
        <source>How often they would agree by chance, using the answers as often as they do</source>
        <translation>Wie oft sie zufällig übereinstimmen würden, bei gleicher Häufigkeit der Antworten</translation>
    </message>
    <message>
        <source>not mentioned, absent, hedged or present</source>
        <translation>unerwähnt, nicht, vorsichtig, vorhanden</translation>
    </message>
    <message>
        <source>absent, hedged or present, where both mention it</source>
        <translation>nicht, vorsichtig, vorhanden, wo erwähnt</translation>
    </message>
    <message>
        <source>the phrase, weighted by how close the two are</source>
        <translation>die Formulierung, gewichtet nach der Nähe der beiden</translation>
    </message>
    <message>
        <source>report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>pathology</source>
        <translation>Pathologie</translation>
    </message>
    <message>
        <source>first reader</source>
        <translation>erste Person</translation>
    </message>
    <message>
        <source>second reader</source>
        <translation>zweite Person</translation>
    </message>
    <message>
        <source>decided</source>
        <translation>entschieden</translation>
    </message>
    <message>
        <source>people read</source>
        <translation>von Menschen gelesen</translation>
    </message>
    <message>
        <source>the engine read</source>
        <translation>vom Leseverfahren gelesen</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>unsicher</translation>
    </message>
    <message>
        <source>not mentioned</source>
        <translation>nicht erwähnt</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>nicht mitgezählt</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>&amp;More ▾</source>
        <translation>&amp;Mehr ▾</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
    <message>
        <source>&amp;Another reader…</source>
        <translation>&amp;Weitere lesende Person&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Draw another gold set…</source>
        <translation>&amp;Neuen Goldstandard ziehen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Import a gold set…</source>
        <translation>Goldstandard &amp;importieren&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Export the gold set…</source>
        <translation>Goldstandard &amp;exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Keys for reviewing</source>
        <translation>&amp;Tasten zum Prüfen</translation>
    </message>
    <message>
        <source>Open a workspace to find out how well its reports are read.</source>
        <translation>Öffnen Sie einen Arbeitsbereich, um herauszufinden, wie gut seine Berichte gelesen werden.</translation>
    </message>
    <message>
        <source>There are no reports to read yet. Import some, and let an engine read them first.</source>
        <translation>Es gibt noch keine Berichte zu lesen. Importieren Sie welche, und lassen Sie sie zuerst von einem Leseverfahren lesen.</translation>
    </message>
    <message>
        <source>Import &amp;reports</source>
        <translation>Berichte &amp;importieren</translation>
    </message>
    <message>
        <source>No engine has read these reports yet. Let one read them, so that it can be checked.</source>
        <translation>Noch hat kein Leseverfahren diese Berichte gelesen. Lassen Sie sie lesen, damit es geprüft werden kann.</translation>
    </message>
    <message>
        <source>Let an &amp;engine read them</source>
        <translation>Von einem &amp;Leseverfahren lesen lassen</translation>
    </message>
    <message>
        <source>How well does the engine read your reports? Read some to find out.</source>
        <translation>Wie gut liest das Leseverfahren Ihre Berichte? Lesen Sie einige, um es herauszufinden.</translation>
    </message>
    <message>
        <source>reading: {reader}</source>
        <translation>es liest: {reader}</translation>
    </message>
    <message>
        <source>The workspace is open to read only.</source>
        <translation>Der Arbeitsbereich ist schreibgeschützt geöffnet.</translation>
    </message>
    <message>
        <source>Drawing reports</source>
        <translation>Berichte ziehen</translation>
    </message>
    <message>
        <source>{reader} has done {n} of {total}.</source>
        <translation>{reader} hat {n} von {total} erledigt.</translation>
    </message>
    <message>
        <source>Fetching the reports</source>
        <translation>Berichte holen</translation>
    </message>
    <message>
        <source>adjudicator</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Tab-separated values (*.tsv)</source>
        <translation>Tabulatorgetrennte Werte (*.tsv)</translation>
    </message>
    <message>
        <source>Export the gold set</source>
        <translation>Goldstandard exportieren</translation>
    </message>
    <message>
        <source>Import a gold set</source>
        <translation>Goldstandard importieren</translation>
    </message>
    <message>
        <source>Tab-separated values (*.tsv *.txt)</source>
        <translation>Tabulatorgetrennte Werte (*.tsv *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Importing the gold set</source>
        <translation>Goldstandard importieren</translation>
    </message>
    <message>
        <source>{n} reports were imported; {missing} more that the file speaks of are not in this workspace and were left out.</source>
        <translation>{n} Berichte wurden importiert; {missing} weitere, von denen die Datei spricht, gibt es in diesem Arbeitsbereich nicht, sie wurden nicht übernommen.</translation>
    </message>
    <message>
        <source>decide</source>
        <translation>entscheiden</translation>
    </message>
    <message>
        <source>{f1} ±{half}&#xa0;%</source>
        <translation>{f1} ±{half}&#xa0;%</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>1 difference between readers waits for a decision; until then it is left out.</source>
        <translation>1 Abweichung zwischen Lesenden wartet auf eine Entscheidung; bis dahin zählt sie nicht mit.</translation>
    </message>
    <message>
        <source>{n} differences between readers wait for a decision; until then they are left out.</source>
        <translation>{n} Abweichungen zwischen Lesenden warten auf eine Entscheidung; bis dahin zählen sie nicht mit.</translation>
    </message>
    <message>
        <source>correct</source>
        <translation>berichtigen</translation>
    </message>
    <message>
        <source>{reports}, drawn at random (seed {seed}) on {date}, read to check {engine}.</source>
        <translation>{reports}, am {date} zufällig gezogen (Startwert {seed}), gelesen, um das Leseverfahren {engine} zu prüfen.</translation>
    </message>
    <message>
        <source>{reports}, the most doubtful first, drawn on {date}, read to check {engine}.</source>
        <translation>{reports}, am {date} gezogen, die zweifelhaftesten zuerst, gelesen, um das Leseverfahren {engine} zu prüfen.</translation>
    </message>
    <message>
        <source>{reports}, imported on {date}, to check {engine}.</source>
        <translation>{reports}, am {date} importiert, um das Leseverfahren {engine} zu prüfen.</translation>
    </message>
    <message>
        <source>reports</source>
        <translation>Berichte</translation>
    </message>
    <message>
        <source>Blind: the engine’s findings show once a report is done.</source>
        <translation>Blind: Die Befunde des Leseverfahrens werden gezeigt, sobald ein Bericht erledigt ist.</translation>
    </message>
    <message>
        <source>&amp;Engine</source>
        <translation>&amp;Leseverfahren</translation>
    </message>
    <message>
        <source>what is compared</source>
        <translation>was verglichen wird</translation>
    </message>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>Overall</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>By pathology: present, absent or hedged</source>
        <translation>Nach Pathologie: vorhanden, nicht vorhanden oder vorsichtig</translation>
    </message>
    <message>
        <source>By phrase: worded with it, both times</source>
        <translation>Nach Formulierung: beide Male so formuliert</translation>
    </message>
    <message>
        <source>Where people and engine differ, in reports that you have done; Enter opens one</source>
        <translation>Wo Menschen und Leseverfahren in Ihren erledigten Berichten abweichen; die Eingabetaste öffnet einen</translation>
    </message>
    <message>
        <source>No report is done yet. The figures grow with every report.</source>
        <translation>Noch ist kein Bericht erledigt. Die Zahlen wachsen mit jedem Bericht.</translation>
    </message>
    <message>
        <source>{engine} {version} on {reports}: F1 {f1} for present, absent or hedged.</source>
        <translation>{engine} {version}, {reports}: F1 {f1} für vorhanden, nicht vorhanden oder vorsichtig.</translation>
    </message>
    <message>
        <source>These reports were chosen for being difficult, so this does not stand for the engine.</source>
        <translation>Diese Berichte wurden gewählt, weil sie schwierig sind; die Zahl steht daher nicht für das Leseverfahren.</translation>
    </message>
    <message>
        <source>{n} reports are needed before it stands for the engine on other pages.</source>
        <translation>{n} Berichte sind nötig, bevor die Zahl auf anderen Seiten für das Leseverfahren steht.</translation>
    </message>
    <message>
        <source>Other pages quote this figure.</source>
        <translation>Andere Seiten nennen diese Zahl.</translation>
    </message>
    <message>
        <source>Reports that people have read and the engine has not: {n}.</source>
        <translation>Berichte, die von Menschen, aber nicht vom Leseverfahren gelesen wurden: {n}.</translation>
    </message>
    <message>
        <source>Left out because a reader was unsure: {n}.</source>
        <translation>Nicht mitgezählt, weil jemand unsicher war: {n}.</translation>
    </message>
    <message>
        <source>Left out because readers differ and nothing was decided: {n}.</source>
        <translation>Nicht mitgezählt, weil Lesende abweichen und nichts entschieden wurde: {n}.</translation>
    </message>
    <message>
        <source>Reports changed with the engine’s findings in view: {n}.</source>
        <translation>Berichte, die mit Blick auf die Befunde des Leseverfahrens geändert wurden: {n}.</translation>
    </message>
    <message>
        <source>First reade&amp;r</source>
        <translation>&amp;Erste Person</translation>
    </message>
    <message>
        <source>&amp;Second reader</source>
        <translation>&amp;Zweite Person</translation>
    </message>
    <message>
        <source>Where the readers differ</source>
        <translation>Wo die Lesenden abweichen</translation>
    </message>
    <message>
        <source>Agreement by pathology</source>
        <translation>Übereinstimmung nach Pathologie</translation>
    </message>
    <message>
        <source>First reader  1</source>
        <translation>Erste Person  1</translation>
    </message>
    <message>
        <source>Second reader  2</source>
        <translation>Zweite Person  2</translation>
    </message>
    <message>
        <source>Not mentioned  N</source>
        <translation>Nicht erwähnt  N</translation>
    </message>
    <message>
        <source>Leave it out  U</source>
        <translation>Nicht mitzählen  U</translation>
    </message>
    <message>
        <source>Two readers who have finished the same reports are needed. Ask a colleague to read as well.</source>
        <translation>Es braucht zwei Personen, die dieselben Berichte erledigt haben. Bitten Sie jemanden, ebenfalls zu lesen.</translation>
    </message>
    <message>
        <source>{first} and {second} have finished no report in common yet.</source>
        <translation>{first} und {second} haben noch keinen Bericht gemeinsam erledigt.</translation>
    </message>
    <message>
        <source>{first} and {second} on {reports}: kappa {kappa}. Differences: {n}, to be decided: {waiting}.</source>
        <translation>{first} und {second}, {reports}: Kappa {kappa}. Abweichungen: {n}, noch zu entscheiden: {waiting}.</translation>
    </message>
    <message>
        <source>One key decides, and goes on to the next difference</source>
        <translation>Eine Taste entscheidet und führt zur nächsten Abweichung</translation>
    </message>
    <message>
        <source>{reader}: {said}. {sentences}</source>
        <translation>{reader}: {said}. {sentences}</translation>
    </message>
    <message>
        <source>Phrases</source>
        <translation>Formulierungen</translation>
    </message>
    <message>
        <source>Key {key}</source>
        <translation>Taste {key}</translation>
    </message>
    <message>
        <source>{name} ({words})</source>
        <translation>{name} ({words})</translation>
    </message>
    <message>
        <source>Pathology: type a few letters of any word for it, Enter to choose</source>
        <translation>Pathologie: einige Buchstaben eines Worts dafür tippen, Eingabetaste wählt</translation>
    </message>
    <message>
        <source>No pathology of the list is called {text}.</source>
        <translation>Keine Pathologie der Liste heißt {text}.</translation>
    </message>
    <message>
        <source>Phrase: type a few letters of the report’s words, Enter to choose</source>
        <translation>Formulierung: einige Buchstaben der Wörter des Berichts tippen, Eingabetaste wählt</translation>
    </message>
    <message>
        <source>Phrases found</source>
        <translation>Gefundene Formulierungen</translation>
    </message>
    <message>
        <source>No phrase of the list is called {text}. Z marks a hedge that is in no list.</source>
        <translation>Keine Formulierung der Liste heißt {text}. Z steht für eine vorsichtige Formulierung, die in keiner Liste ist.</translation>
    </message>
    <message>
        <source>Pathology</source>
        <translation>Pathologie</translation>
    </message>
    <message>
        <source>Pathologies</source>
        <translation>Pathologien</translation>
    </message>
    <message>
        <source>J, K or ↓, ↑</source>
        <translation>J, K oder ↓, ↑</translation>
    </message>
    <message>
        <source>next and previous finding</source>
        <translation>nächster und voriger Befund</translation>
    </message>
    <message>
        <source>Enter or A</source>
        <translation>Eingabe oder A</translation>
    </message>
    <message>
        <source>accept the finding</source>
        <translation>Befund annehmen</translation>
    </message>
    <message>
        <source>U</source>
        <translation>U</translation>
    </message>
    <message>
        <source>unsure: leave it out of every figure</source>
        <translation>unsicher: in keiner Zahl mitzählen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>remove: the report does not say so</source>
        <translation>entfernen: Der Bericht sagt es nicht</translation>
    </message>
    <message>
        <source>0, 9 and the letters beside the phrases</source>
        <translation>0, 9 und die Buchstaben neben den Formulierungen</translation>
    </message>
    <message>
        <source>correct the phrase at once; 0 is absent, 9 is present</source>
        <translation>Formulierung sofort berichtigen; 0 ist „absent“, 9 ist „present“</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>go to the list of phrases</source>
        <translation>zur Liste der Formulierungen</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
    <message>
        <source>find a phrase by typing the report’s words</source>
        <translation>eine Formulierung durch Tippen der Wörter des Berichts finden</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>choose another pathology by typing any word for it</source>
        <translation>durch Tippen eines Worts dafür eine andere Pathologie wählen</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>add a finding: choose the sentence with ↓ and ↑, press Enter, type</source>
        <translation>Befund hinzufügen: Satz mit ↓ und ↑ wählen, Eingabetaste drücken, tippen</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <source>the report is done; what was not judged is accepted; on to the next report</source>
        <translation>der Bericht ist erledigt; nicht Beurteiltes ist angenommen; weiter zum nächsten</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Enter</source>
        <translation>Strg+Umschalt+Eingabe</translation>
    </message>
    <message>
        <source>take a finished report up again</source>
        <translation>erledigten Bericht wieder aufnehmen</translation>
    </message>
    <message>
        <source>← and →</source>
        <translation>← und →</translation>
    </message>
    <message>
        <source>previous and next report</source>
        <translation>voriger und nächster Bericht</translation>
    </message>
    <message>
        <source>Space and Shift+Space</source>
        <translation>Leertaste und Umschalt+Leertaste</translation>
    </message>
    <message>
        <source>scroll the report</source>
        <translation>im Bericht blättern</translation>
    </message>
    <message>
        <source>Ctrl+Z and Ctrl+Shift+Z</source>
        <translation>Strg+Z und Strg+Umschalt+Z</translation>
    </message>
    <message>
        <source>undo and redo</source>
        <translation>zurücknehmen und wiederherstellen</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>back to the report</source>
        <translation>zurück zum Bericht</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>this list</source>
        <translation>diese Liste</translation>
    </message>
    <message>
        <source>{what}  {key}</source>
        <translation>{what}  {key}</translation>
    </message>
    <message>
        <source>What was not judged is accepted; on to the next report</source>
        <translation>Nicht Beurteiltes ist angenommen; weiter zum nächsten Bericht</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Unsure</source>
        <translation>Unsicher</translation>
    </message>
    <message>
        <source>Leave it out of every figure</source>
        <translation>In keiner Zahl mitzählen</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>The report does not say so</source>
        <translation>Der Bericht sagt es nicht</translation>
    </message>
    <message>
        <source>Phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>Or the key beside the phrase</source>
        <translation>Oder die Taste neben der Formulierung</translation>
    </message>
    <message>
        <source>Choose another by typing</source>
        <translation>Andere durch Tippen wählen</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add a finding at a sentence</source>
        <translation>Befund an einem Satz hinzufügen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Take up again</source>
        <translation>Wieder aufnehmen</translation>
    </message>
    <message>
        <source>Not done after all</source>
        <translation>Doch nicht erledigt</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>Everything that keys do here</source>
        <translation>Alles, was Tasten hier tun</translation>
    </message>
    <message>
        <source>Keys for reviewing</source>
        <translation>Tasten zum Prüfen</translation>
    </message>
    <message>
        <source>Previous report (←)</source>
        <translation>Voriger Bericht (←)</translation>
    </message>
    <message>
        <source>Next report (→)</source>
        <translation>Nächster Bericht (→)</translation>
    </message>
    <message>
        <source>Reports done</source>
        <translation>Erledigte Berichte</translation>
    </message>
    <message>
        <source>Findings of this report</source>
        <translation>Befunde dieses Berichts</translation>
    </message>
    <message>
        <source>See the &amp;accuracy</source>
        <translation>&amp;Genauigkeit ansehen</translation>
    </message>
    <message>
        <source>X-ray</source>
        <translation>Röntgen</translation>
    </message>
    <message>
        <source>CT</source>
        <translation>CT</translation>
    </message>
    <message>
        <source>done</source>
        <translation>erledigt</translation>
    </message>
    <message>
        <source>Report {n} of {total}</source>
        <translation>Bericht {n} von {total}</translation>
    </message>
    <message>
        <source>The workspace is open to read only: nothing can be changed.</source>
        <translation>Der Arbeitsbereich ist schreibgeschützt geöffnet: Nichts kann geändert werden.</translation>
    </message>
    <message>
        <source>This report came with another text after it was drawn. It is left out; go on to the next.</source>
        <translation>Dieser Bericht kam nach dem Ziehen mit anderem Text. Er wird nicht mitgezählt; gehen Sie zum nächsten.</translation>
    </message>
    <message>
        <source>Done. ≠ marks what only the engine says. Ctrl+Enter goes on; Ctrl+Shift+Enter takes the report up again, and what is changed then is counted as changed with the engine in view.</source>
        <translation>Erledigt. ≠ kennzeichnet, was nur das Leseverfahren sagt. Strg+Eingabe führt weiter; Strg+Umschalt+Eingabe nimmt den Bericht wieder auf, und was dann geändert wird, zählt als mit Blick auf das Leseverfahren geändert.</translation>
    </message>
    <message>
        <source>How sure is the sentence of {pathology}? One key, or Enter.</source>
        <translation>Wie sicher ist der Satz zu {pathology}? Eine Taste oder die Eingabetaste.</translation>
    </message>
    <message>
        <source>Choose the sentence with ↓ and ↑, then press Enter. Escape goes back.</source>
        <translation>Wählen Sie den Satz mit ↓ und ↑, und drücken Sie die Eingabetaste. Esc führt zurück.</translation>
    </message>
    <message>
        <source>Blind: the engine’s findings are hidden until you are done. N adds a finding.</source>
        <translation>Blind: Die Befunde des Leseverfahrens bleiben verborgen, bis Sie fertig sind. N fügt einen Befund hinzu.</translation>
    </message>
    <message>
        <source>The engine has not read this report. N adds a finding; Ctrl+Enter: it is done.</source>
        <translation>Das Leseverfahren hat diesen Bericht nicht gelesen. N fügt einen Befund hinzu; Strg+Eingabe: erledigt.</translation>
    </message>
    <message>
        <source>No finding in this report. N adds one; Ctrl+Enter: the report is done.</source>
        <translation>Kein Befund in diesem Bericht. N fügt einen hinzu; Strg+Eingabe: Der Bericht ist erledigt.</translation>
    </message>
    <message>
        <source>{pathology}: {phrase}. {verdict}</source>
        <translation>{pathology}: {phrase}. {verdict}</translation>
    </message>
    <message>
        <source>All are judged. Ctrl+Enter: the report is done.</source>
        <translation>Alle sind beurteilt. Strg+Eingabe: Der Bericht ist erledigt.</translation>
    </message>
    <message>
        <source>accept</source>
        <translation>annehmen</translation>
    </message>
    <message>
        <source>remove</source>
        <translation>entfernen</translation>
    </message>
    <message>
        <source>add</source>
        <translation>hinzufügen</translation>
    </message>
    <message>
        <source>correct the phrase</source>
        <translation>Formulierung berichtigen</translation>
    </message>
    <message>
        <source>correct the pathology</source>
        <translation>Pathologie berichtigen</translation>
    </message>
    <message>
        <source>report done</source>
        <translation>Bericht erledigt</translation>
    </message>
    <message>
        <source>take up again</source>
        <translation>wieder aufnehmen</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>Der Bericht</translation>
    </message>
    <message>
        <source>150 give an interval of about 4 points; fewer a wider one</source>
        <translation>150 ergeben ein Intervall von etwa 4 Punkten; weniger ein breiteres</translation>
    </message>
    <message>
        <source>At &amp;random: says how well the engine reads your reports</source>
        <translation>Zu&amp;fällig: sagt, wie gut das Leseverfahren Ihre Berichte liest</translation>
    </message>
    <message>
        <source>&amp;Worst first: where engines disagree or are unsure; finds faults, measures nothing</source>
        <translation>Die &amp;zweifelhaftesten zuerst (uneinig, unsicher): findet Fehler, misst nichts</translation>
    </message>
    <message>
        <source>The same seed draws the same reports again</source>
        <translation>Derselbe Startwert zieht wieder dieselben Berichte</translation>
    </message>
    <message>
        <source>&amp;Blind: hide the engine’s findings until a report is done</source>
        <translation>&amp;Blind: Befunde des Leseverfahrens verbergen, bis ein Bericht erledigt ist</translation>
    </message>
    <message>
        <source>&amp;Draw the reports</source>
        <translation>Berichte zie&amp;hen</translation>
    </message>
    <message>
        <source>A tab-separated file as “radcal gold” reads it</source>
        <translation>Eine tabulatorgetrennte Datei, wie „radcal gold“ sie liest</translation>
    </message>
    <message>
        <source>Bac&amp;k</source>
        <translation>Zurüc&amp;k</translation>
    </message>
    <message>
        <source>&amp;Number of reports</source>
        <translation>A&amp;nzahl der Berichte</translation>
    </message>
    <message>
        <source>Drawn</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>&amp;Startwert</translation>
    </message>
    <message>
        <source>People read some reports and say what each states. What they find is the gold that the engine is measured by, on your own reports. A random draw takes X-ray and CT reports in proportion.</source>
        <translation>Menschen lesen einige Berichte und sagen, was darin steht. Was sie finden, ist der Goldstandard, an dem das Leseverfahren gemessen wird, an Ihren eigenen Berichten. Eine zufällige Auswahl nimmt Röntgen- und CT-Berichte anteilig.</translation>
    </message>
    <message>
        <source>Name or initials</source>
        <translation>Name oder Initialen</translation>
    </message>
    <message>
        <source>&amp;Begin reading</source>
        <translation>Lesen &amp;beginnen</translation>
    </message>
    <message>
        <source>&amp;Who is reading?</source>
        <translation>&amp;Wer liest?</translation>
    </message>
    <message>
        <source>Each reader’s answers are kept apart: nobody sees another’s while reading. Two readers can be compared, and what they differ on can be decided, once both have finished a report.</source>
        <translation>Die Antworten jeder Person bleiben getrennt: Niemand sieht beim Lesen die der anderen. Zwei Personen können verglichen und Abweichungen entschieden werden, sobald beide einen Bericht erledigt haben.</translation>
    </message>
</context>
<context>
    <name>selector</name>
    <message>
        <source>Radiologist</source>
        <translation>Befundende Person</translation>
    </message>
    <message>
        <source>Pathology</source>
        <translation>Pathologie</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>Gelesen von</translation>
    </message>
    <message>
        <source>Which reading of the reports the results are made from</source>
        <translation>Aus welcher Lesung der Berichte die Ergebnisse entstehen</translation>
    </message>
    <message>
        <source>&amp;Radiologist</source>
        <translation>Befundende Pe&amp;rson</translation>
    </message>
    <message>
        <source>&amp;Pathology</source>
        <translation>&amp;Pathologie</translation>
    </message>
    <message>
        <source>rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>{engine}, {day}</source>
        <translation>{engine}, {day}</translation>
    </message>
</context>
<context>
    <name>session</name>
    <message>
        <source>Opening the sample</source>
        <translation>Beispiel wird geöffnet</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>{name} wird geöffnet</translation>
    </message>
    <message>
        <source>Making {name}</source>
        <translation>{name} wird angelegt</translation>
    </message>
    <message>
        <source>Importing reports</source>
        <translation>Berichte werden importiert</translation>
    </message>
    <message>
        <source>Analysing</source>
        <translation>Analyse läuft</translation>
    </message>
    <message>
        <source>Writing the page for {author}</source>
        <translation>Seite für {author} wird geschrieben</translation>
    </message>
    <message>
        <source>Restoring {name}</source>
        <translation>{name} wird wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Discard changes</source>
        <translation>Änderungen &amp;verwerfen</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>&amp;Anwenden</translation>
    </message>
    <message>
        <source>Open a workspace to see the settings that its results are made with.</source>
        <translation>Öffnen Sie einen Arbeitsbereich, um die Einstellungen zu sehen, mit denen seine Ergebnisse entstehen.</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>hoher Kontrast</translation>
    </message>
    <message>
        <source>Holds from the next start of RadCal on.</source>
        <translation>Gilt ab dem nächsten Start von RadCal.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>Appea&amp;rance</source>
        <translation>A&amp;ussehen</translation>
    </message>
    <message>
        <source>Si&amp;ze of text and everything else</source>
        <translation>&amp;Größe von Text und allem anderen</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>This workspace is open to read only, so its settings cannot be changed.</source>
        <translation>Dieser Arbeitsbereich ist schreibgeschützt geöffnet, seine Einstellungen können nicht geändert werden.</translation>
    </message>
    <message>
        <source>A file of one’s own results cannot be changed.</source>
        <translation>Eine Datei mit eigenen Ergebnissen kann nicht geändert werden.</translation>
    </message>
    <message>
        <source>How the window looks, and the file with your results.</source>
        <translation>Wie das Fenster aussieht, und die Datei mit Ihren Ergebnissen.</translation>
    </message>
    <message>
        <source>How the window looks, and with what results are made.</source>
        <translation>Wie das Fenster aussieht und womit Ergebnisse entstehen.</translation>
    </message>
    <message>
        <source>One setting is changed. Apply it to make the results again with it.</source>
        <translation>Eine Einstellung ist geändert. Wenden Sie sie an, um die Ergebnisse damit neu zu erstellen.</translation>
    </message>
    <message>
        <source>{n} settings are changed. Apply them to make the results again with them.</source>
        <translation>{n} Einstellungen sind geändert. Wenden Sie sie an, um die Ergebnisse damit neu zu erstellen.</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Apply settings</source>
        <translation>Einstellungen anwenden</translation>
    </message>
    <message>
        <source>Making the results again</source>
        <translation>Ergebnisse neu erstellen</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>{setting}: back to the default</source>
        <translation>{setting}: zurück zur Vorgabe</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen&#xa0;…</translation>
    </message>
    <message>
        <source>{setting}: choose</source>
        <translation>{setting}: wählen</translation>
    </message>
    <message>
        <source>{about} Default: {default}.</source>
        <translation>{about} Vorgabe: {default}.</translation>
    </message>
    <message>
        <source>{about} {low} to {high}; default: {default}.</source>
        <translation>{about} {low} bis {high}; Vorgabe: {default}.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>{setting} (changed)</source>
        <translation>{setting} (geändert)</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Modelle (*.gguf)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Change “{setting}”</source>
        <translation>„{setting}“ ändern</translation>
    </message>
    <message>
        <source>Further</source>
        <translation>Weitere</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>What counts</source>
        <translation>Was zählt</translation>
    </message>
    <message>
        <source>Reading the reports</source>
        <translation>Lesen der Berichte</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Longest time from X-ray to CT</source>
        <translation>Längste Zeit vom Röntgen zur CT</translation>
    </message>
    <message>
        <source>A CT within this time of the X-ray makes a pair with it.</source>
        <translation>Eine CT innerhalb dieser Zeit nach dem Röntgen bildet mit ihm ein Paar.</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <source>Dictated by one, signed by another</source>
        <translation>Von einer Person diktiert, von einer anderen signiert</translation>
    </message>
    <message>
        <source>To whom such a report is attributed. Holds for files imported from now on.</source>
        <translation>Wem ein solcher Bericht zugeordnet wird. Gilt für künftig importierte Dateien.</translation>
    </message>
    <message>
        <source>to who signed</source>
        <translation>der signierenden Person</translation>
    </message>
    <message>
        <source>to who dictated</source>
        <translation>der diktierenden Person</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>nicht mitgezählt</translation>
    </message>
    <message>
        <source>Further confirmations</source>
        <translation>Weitere Bestätigungen</translation>
    </message>
    <message>
        <source>CT findings (right) that confirm an X-ray finding (left) only where a department says so.</source>
        <translation>CT-Befunde (rechts), die einen Röntgenbefund (links) nur dort bestätigen, wo eine Abteilung es so festlegt.</translation>
    </message>
    <message>
        <source>Silent CT means absent on</source>
        <translation>Schweigen der CT heißt nicht vorhanden bei</translation>
    </message>
    <message>
        <source>By default a CT that says nothing on these is left out.</source>
        <translation>Nach Vorgabe zählt eine CT, die dazu nichts sagt, nicht mit.</translation>
    </message>
    <message>
        <source>Silent CT is left out on</source>
        <translation>Schweigen der CT zählt nicht mit bei</translation>
    </message>
    <message>
        <source>By default a CT that says nothing on these means absent: it would have said so.</source>
        <translation>Nach Vorgabe heißt eine CT, die dazu nichts sagt, nicht vorhanden: Sie hätte es erwähnt.</translation>
    </message>
    <message>
        <source>Contested findings</source>
        <translation>Angefochtene Befunde</translation>
    </message>
    <message>
        <source>Findings that somebody contested as wrongly read.</source>
        <translation>Befunde, die jemand als falsch gelesen angefochten hat.</translation>
    </message>
    <message>
        <source>are counted</source>
        <translation>werden mitgezählt</translation>
    </message>
    <message>
        <source>are left out</source>
        <translation>werden nicht mitgezählt</translation>
    </message>
    <message>
        <source>as suits this machine</source>
        <translation>passend zu diesem Computer</translation>
    </message>
    <message>
        <source>More are faster where the machine has room for them.</source>
        <translation>Mehr sind schneller, wo der Computer Platz dafür hat.</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Leseverfahren</translation>
    </message>
    <message>
        <source>What reads the reports. Reports read before by the same engine are not read again.</source>
        <translation>Was die Berichte liest. Mit demselben Leseverfahren bereits gelesene Berichte werden nicht erneut gelesen.</translation>
    </message>
    <message>
        <source>rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Llama</source>
        <translation>Llama</translation>
    </message>
    <message>
        <source>Model of the Llama engine</source>
        <translation>Modell des Leseverfahrens Llama</translation>
    </message>
    <message>
        <source>A GGUF file; empty for the small model that ships with RadCal.</source>
        <translation>Eine GGUF-Datei; leer für das kleine Modell, das RadCal beiliegt.</translation>
    </message>
    <message>
        <source>Review findings below a probability of</source>
        <translation>Befunde prüfen unter einer Wahrscheinlichkeit von</translation>
    </message>
    <message>
        <source>Findings that the engine is less sure of are marked for review.</source>
        <translation>Befunde, bei denen das Leseverfahren weniger sicher ist, werden zur Prüfung vorgemerkt.</translation>
    </message>
    <message>
        <source>Llama: length of prompt, report and answer</source>
        <translation>Llama: Länge von Prompt, Bericht und Antwort</translation>
    </message>
    <message>
        <source>What the three may take together. Longer reports need more, and more memory.</source>
        <translation>Was die drei zusammen beanspruchen dürfen. Längere Berichte brauchen mehr, auch mehr Speicher.</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Llama: kind of prompt</source>
        <translation>Llama: Art des Prompts</translation>
    </message>
    <message>
        <source>Most models that answer in a chat come with a template for it.</source>
        <translation>Die meisten Modelle, die im Chat antworten, bringen eine Vorlage dafür mit.</translation>
    </message>
    <message>
        <source>the model’s own if it has one</source>
        <translation>die eigene des Modells, falls vorhanden</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>einfach</translation>
    </message>
    <message>
        <source>the model’s chat template</source>
        <translation>die Chatvorlage des Modells</translation>
    </message>
    <message>
        <source>Llama: folder of prompts</source>
        <translation>Llama: Ordner der Prompts</translation>
    </message>
    <message>
        <source>Prompt files of your own; empty for those of RadCal.</source>
        <translation>Eigene Promptdateien; leer für die von RadCal.</translation>
    </message>
    <message>
        <source>Llama: layers on the GPU</source>
        <translation>Llama: Schichten auf der GPU</translation>
    </message>
    <message>
        <source>0 reads on the processor alone.</source>
        <translation>0 liest allein mit dem Prozessor.</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>all that fit</source>
        <translation>alle, die passen</translation>
    </message>
    <message>
        <source>Llama: reports at the same time</source>
        <translation>Llama: Berichte gleichzeitig</translation>
    </message>
    <message>
        <source>reports</source>
        <translation>Berichte</translation>
    </message>
    <message>
        <source>Llama: processor threads</source>
        <translation>Llama: Prozessor-Threads</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Llama: longest time for one report</source>
        <translation>Llama: längste Zeit für einen Bericht</translation>
    </message>
    <message>
        <source>A report that takes longer is set aside and listed.</source>
        <translation>Ein Bericht, der länger braucht, wird zurückgestellt und aufgeführt.</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Llama: temperature</source>
        <translation>Llama: Temperatur</translation>
    </message>
    <message>
        <source>0 takes the most probable answer; above 0 answers are drawn.</source>
        <translation>0 nimmt die wahrscheinlichste Antwort; über 0 werden Antworten gezogen.</translation>
    </message>
    <message>
        <source>Llama: seed</source>
        <translation>Llama: Startwert</translation>
    </message>
    <message>
        <source>The same seed draws the same answers.</source>
        <translation>Derselbe Startwert zieht dieselben Antworten.</translation>
    </message>
    <message>
        <source>Fewest findings for a curve</source>
        <translation>Mindestzahl der Befunde für eine Kurve</translation>
    </message>
    <message>
        <source>Below this, a radiologist’s counts on a pathology are shown without a curve.</source>
        <translation>Darunter werden die Zahlen einer Person zu einer Pathologie ohne Kurve gezeigt.</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Fewest uses of a phrase for advice</source>
        <translation>Mindestzahl der Verwendungen für eine Empfehlung</translation>
    </message>
    <message>
        <source>Below this, there is no advice on the phrase.</source>
        <translation>Darunter gibt es keine Empfehlung zur Formulierung.</translation>
    </message>
    <message>
        <source>uses</source>
        <translation>Verwendungen</translation>
    </message>
    <message>
        <source>Coverage of intervals</source>
        <translation>Überdeckung der Intervalle</translation>
    </message>
    <message>
        <source>How often an interval holds the true value.</source>
        <translation>Wie oft ein Intervall den wahren Wert enthält.</translation>
    </message>
    <message>
        <source>Resamples</source>
        <translation>Bootstrap-Stichproben</translation>
    </message>
    <message>
        <source>Behind intervals and the luck band. More are steadier and slower; 0 draws none.</source>
        <translation>Für Intervalle und das Zufallsband. Mehr sind beständiger und langsamer; 0 zieht keine.</translation>
    </message>
    <message>
        <source>resamples</source>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>Bins of the diagram</source>
        <translation>Klassen des Diagramms</translation>
    </message>
    <message>
        <source>Into how many parts the scale from 0 to 100 % is cut.</source>
        <translation>In wie viele Teile die Skala von 0 bis 100&#xa0;% geteilt wird.</translation>
    </message>
    <message>
        <source>bins</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>How phrases fill the bins</source>
        <translation>Wie Formulierungen die Klassen füllen</translation>
    </message>
    <message>
        <source>The midpoint method is that of the published figures, for comparison with them.</source>
        <translation>Das Mittelpunktverfahren ist das der veröffentlichten Zahlen, zum Vergleich mit ihnen.</translation>
    </message>
    <message>
        <source>exactly</source>
        <translation>genau</translation>
    </message>
    <message>
        <source>by the middle of each bin</source>
        <translation>nach der Mitte jeder Klasse</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed gives the same resamples, and so the same figures.</source>
        <translation>Derselbe Startwert ergibt dieselben Stichproben und damit dieselben Zahlen.</translation>
    </message>
    <message>
        <source>Words that advice may propose</source>
        <translation>Wörter, die Empfehlungen vorschlagen dürfen</translation>
    </message>
    <message>
        <source>None chosen means all.</source>
        <translation>Keine gewählt heißt alle.</translation>
    </message>
    <message>
        <source>How advice is derived</source>
        <translation>Wie Empfehlungen abgeleitet werden</translation>
    </message>
    <message>
        <source>The published method prices one change at a time; RadCal’s all together.</source>
        <translation>Das veröffentlichte Verfahren bewertet eine Änderung nach der anderen; das von RadCal alle zusammen.</translation>
    </message>
    <message>
        <source>RadCal’s method</source>
        <translation>Verfahren von RadCal</translation>
    </message>
    <message>
        <source>the published method</source>
        <translation>das veröffentlichte Verfahren</translation>
    </message>
    <message>
        <source>RadCal’s method: most steps</source>
        <translation>Verfahren von RadCal: höchstens so viele Stufen</translation>
    </message>
    <message>
        <source>How far up or down the scale of words advice may go.</source>
        <translation>Wie weit Empfehlungen auf der Skala der Wörter hinauf oder hinunter gehen dürfen.</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>RadCal’s method: price of information</source>
        <translation>Verfahren von RadCal: Preis der Information</translation>
    </message>
    <message>
        <source>What a lost bit of information about the outcome costs; more keeps more words.</source>
        <translation>Was ein verlorenes Bit Information über das Ergebnis kostet; mehr behält mehr Wörter.</translation>
    </message>
    <message>
        <source>Published method: price of change</source>
        <translation>Veröffentlichtes Verfahren: Preis der Änderung</translation>
    </message>
    <message>
        <source>What departing from the present use of words costs; more keeps more as it is.</source>
        <translation>Was es kostet, vom jetzigen Gebrauch der Wörter abzuweichen; mehr behält mehr, wie es ist.</translation>
    </message>
    <message>
        <source>Fits behind the stability of advice</source>
        <translation>Anpassungen für die Stabilität der Empfehlungen</translation>
    </message>
    <message>
        <source>More are steadier and slower.</source>
        <translation>Mehr sind beständiger und langsamer.</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>Anpassungen</translation>
    </message>
    <message>
        <source>Change &amp;passphrase…</source>
        <translation>&amp;Passphrase ändern&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Back up…</source>
        <translation>Sicherungs&amp;kopie&#xa0;…</translation>
    </message>
    <message>
        <source>Chec&amp;k the file…</source>
        <translation>&amp;Datei prüfen&#xa0;…</translation>
    </message>
    <message>
        <source>A copy under the same passphrase, verified after it was written</source>
        <translation>Eine Kopie mit derselben Passphrase, nach dem Schreiben geprüft</translation>
    </message>
    <message>
        <source>Reads every byte and says what is damaged, if anything is</source>
        <translation>Liest jedes Byte und sagt, was beschädigt ist, falls etwas beschädigt ist</translation>
    </message>
    <message>
        <source>The workspace’s file</source>
        <translation>Die Datei des Arbeitsbereichs</translation>
    </message>
    <message>
        <source>The sample is made anew each time and has no passphrase of yours.</source>
        <translation>Das Beispiel entsteht jedes Mal neu und hat keine Passphrase von Ihnen.</translation>
    </message>
    <message>
        <source>This workspace is open to read only.</source>
        <translation>Dieser Arbeitsbereich ist schreibgeschützt geöffnet.</translation>
    </message>
    <message>
        <source>Back up the workspace</source>
        <translation>Sicherungskopie des Arbeitsbereichs</translation>
    </message>
    <message>
        <source>Workspaces (*.radcal)</source>
        <translation>Arbeitsbereiche (*.radcal)</translation>
    </message>
    <message>
        <source>{name} copy{ending}</source>
        <translation>{name} Kopie{ending}</translation>
    </message>
    <message>
        <source>Encrypting the workspace anew…</source>
        <translation>Der Arbeitsbereich wird neu verschlüsselt&#xa0;…</translation>
    </message>
    <message>
        <source>Changing the passphrase</source>
        <translation>Passphrase ändern</translation>
    </message>
    <message>
        <source>Making a copy…</source>
        <translation>Kopie wird erstellt&#xa0;…</translation>
    </message>
    <message>
        <source>Backing up</source>
        <translation>Sicherungskopie erstellen</translation>
    </message>
    <message>
        <source>Reading every byte of the file…</source>
        <translation>Jedes Byte der Datei wird gelesen&#xa0;…</translation>
    </message>
    <message>
        <source>Checking the file</source>
        <translation>Datei prüfen</translation>
    </message>
    <message>
        <source>The workspace was copied to {path}. The copy was verified.</source>
        <translation>Der Arbeitsbereich wurde nach {path} kopiert. Die Kopie wurde geprüft.</translation>
    </message>
    <message>
        <source>Every byte of the file can be read; nothing is damaged.</source>
        <translation>Jedes Byte der Datei ist lesbar; nichts ist beschädigt.</translation>
    </message>
    <message>
        <source>Stopped. Nothing was changed.</source>
        <translation>Angehalten. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Check the file</source>
        <translation>Datei prüfen</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>Prü&amp;fen</translation>
    </message>
    <message>
        <source>&amp;Passphrase</source>
        <translation>&amp;Passphrase</translation>
    </message>
    <message>
        <source>The passphrase is not kept, so checking needs it once more.</source>
        <translation>Die Passphrase wird nicht aufbewahrt; zum Prüfen wird sie noch einmal gebraucht.</translation>
    </message>
    <message>
        <source>Change the passphrase</source>
        <translation>Passphrase ändern</translation>
    </message>
    <message>
        <source>&amp;Change</source>
        <translation>Än&amp;dern</translation>
    </message>
    <message>
        <source>&amp;Present passphrase</source>
        <translation>&amp;Jetzige Passphrase</translation>
    </message>
    <message>
        <source>&amp;New passphrase</source>
        <translation>&amp;Neue Passphrase</translation>
    </message>
    <message>
        <source>New passphrase &amp;again</source>
        <translation>Neue Passphrase noch ein&amp;mal</translation>
    </message>
    <message>
        <source>The two are not the same yet.</source>
        <translation>Noch sind beide nicht gleich.</translation>
    </message>
    <message>
        <source>Without it the workspace cannot be read, by anyone. Copies keep the old one.</source>
        <translation>Ohne sie kann niemand den Arbeitsbereich lesen. Kopien behalten die alte.</translation>
    </message>
    <message>
        <source>Open it now: in the workspace on show nothing more can be saved.</source>
        <translation>Öffnen Sie sie jetzt: Im angezeigten Arbeitsbereich kann nichts mehr gespeichert werden.</translation>
    </message>
    <message>
        <source>Back up once a day</source>
        <translation>Täglich sichern</translation>
    </message>
    <message>
        <source>&amp;Folder for backups…</source>
        <translation>&amp;Ordner für Sicherungskopien&#xa0;…</translation>
    </message>
    <message>
        <source>A folder on another disk also protects against the loss of this one</source>
        <translation>Ein Ordner auf einem anderen Datenträger schützt auch vor dem Verlust von diesem</translation>
    </message>
    <message>
        <source>Beside the workspace</source>
        <translation>Neben dem Arbeitsbereich</translation>
    </message>
    <message>
        <source>Keep backups in the folder of the workspace again</source>
        <translation>Sicherungskopien wieder im Ordner des Arbeitsbereichs ablegen</translation>
    </message>
    <message>
        <source>Restore a back&amp;up…</source>
        <translation>Wiederher&amp;stellen&#xa0;…</translation>
    </message>
    <message>
        <source>Folder for backups</source>
        <translation>Ordner für Sicherungskopien</translation>
    </message>
    <message>
        <source>{backups} in {folder}, and any other copies made before, still open with the old one. Delete them if somebody may know it who should not.</source>
        <translation>{backups} in {folder} und alle anderen früheren Kopien lassen sich weiter mit der alten öffnen. Löschen Sie sie, wenn jemand sie kennen könnte, der es nicht sollte.</translation>
    </message>
    <message>
        <source>Making a first backup there…</source>
        <translation>Dort wird eine erste Sicherungskopie erstellt&#xa0;…</translation>
    </message>
    <message>
        <source>The passphrase was changed.</source>
        <translation>Die Passphrase wurde geändert.</translation>
    </message>
    <message>
        <source>Copies made before keep the old one.</source>
        <translation>Frühere Kopien behalten die alte.</translation>
    </message>
    <message>
        <source>There is no backup under the new one yet.</source>
        <translation>Unter der neuen gibt es noch keine Sicherungskopie.</translation>
    </message>
</context>
<context>
    <name>shell</name>
    <message>
        <source>Writing {file}</source>
        <translation>{file} wird geschrieben</translation>
    </message>
</context>
<context>
    <name>stage</name>
    <message>
        <source>&amp;Open a workspace</source>
        <translation>Arbeitsbereich ö&amp;ffnen</translation>
    </message>
</context>
<context>
    <name>start</name>
    <message>
        <source>Do certainty words mean what readers take them to mean?</source>
        <translation>Bedeuten Wörter der Sicherheit, was darunter verstanden wird?</translation>
    </message>
    <message>
        <source>RadCal compares the words of chest X-ray reports with what CT found within hours, and shows each radiologist which words held and which word would have served better.</source>
        <translation>RadCal vergleicht die Wörter von Röntgen-Thorax-Berichten mit dem, was die CT innerhalb von Stunden zeigte, und zeigt allen Befundenden, welche Wörter zutrafen und welches Wort besser gepasst hätte.</translation>
    </message>
    <message>
        <source>Opened last</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Nothing leaves this computer. Reports and results stay in one encrypted file that you choose.</source>
        <translation>Nichts verlässt diesen Computer. Berichte und Ergebnisse bleiben in einer verschlüsselten Datei, die Sie wählen.</translation>
    </message>
    <message>
        <source>&amp;Open a workspace…</source>
        <translation>Arbeitsbereich ö&amp;ffnen&#xa0;…</translation>
    </message>
    <message>
        <source>An encrypted file that RadCal made earlier. You need its passphrase.</source>
        <translation>Eine verschlüsselte Datei, die RadCal früher angelegt hat. Sie brauchen ihre Passphrase.</translation>
    </message>
    <message>
        <source>&amp;New from report files…</source>
        <translation>&amp;Neu aus Berichtsdateien&#xa0;…</translation>
    </message>
    <message>
        <source>X-ray and CT reports as CSV, TSV, Excel, or a folder of text files with a manifest.</source>
        <translation>Röntgen- und CT-Berichte als CSV, TSV, Excel oder ein Ordner mit Textdateien und einem Manifest.</translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>An invented department, to see what RadCal does. No patient is in it.</source>
        <translation>Eine erfundene Abteilung, um zu sehen, was RadCal tut. Kein Patient ist darin.</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>Take {name} off this list; the file stays</source>
        <translation>{name} von dieser Liste nehmen; die Datei bleibt</translation>
    </message>
    <message>
        <source>Backups…</source>
        <translation>Sicherungen&#xa0;…</translation>
    </message>
    <message>
        <source>Go back to a backup of {name}</source>
        <translation>Zu einer Sicherungskopie von {name} zurückkehren</translation>
    </message>
</context>
<context>
    <name>survey</name>
    <message>
        <source>not there</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>very low</source>
        <translation>sehr gering</translation>
    </message>
    <message>
        <source>low</source>
        <translation>gering</translation>
    </message>
    <message>
        <source>in between</source>
        <translation>dazwischen</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>very high</source>
        <translation>sehr hoch</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>sicher</translation>
    </message>
    <message>
        <source>What do these words mean?</source>
        <translation>Was bedeuten diese Wörter?</translation>
    </message>
    <message>
        <source>Anonymous</source>
        <translation>Anonym</translation>
    </message>
    <message>
        <source>Your name, if you like</source>
        <translation>Ihr Name, wenn Sie möchten</translation>
    </message>
    <message>
        <source>&amp;Begin</source>
        <translation>&amp;Beginnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>You see one word after the other, as it would stand in a colleague’s report. Choose how certain you take the finding to be. There is no right answer: what counts is how you read it.</source>
        <translation>Sie sehen ein Wort nach dem anderen, wie es in einem Bericht aus dem Kollegium stünde. Wählen Sie, für wie sicher Sie den Befund dann halten. Es gibt keine richtige Antwort: Es zählt, wie Sie das Wort lesen.</translation>
    </message>
    <message>
        <source>Answers are kept in this workspace alone. You can stop at any time and go on later.</source>
        <translation>Die Antworten bleiben allein in diesem Arbeitsbereich. Sie können jederzeit aufhören und später weitermachen.</translation>
    </message>
    <message>
        <source>How far you are</source>
        <translation>Wie weit Sie sind</translation>
    </message>
    <message>
        <source>&amp;{key}   {range}   {name}</source>
        <translation>&amp;{key}   {range}   {name}</translation>
    </message>
    <message>
        <source>Bac&amp;k</source>
        <translation>Zurüc&amp;k</translation>
    </message>
    <message>
        <source>&amp;Skip: I do not use it</source>
        <translation>&amp;Überspringen: verwende ich nicht</translation>
    </message>
    <message>
        <source>Stop for &amp;now</source>
        <translation>Für &amp;jetzt aufhören</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Thank you</source>
        <translation>Vielen Dank</translation>
    </message>
    <message>
        <source>You gave {n} of {all} words a range. Your answers are kept.</source>
        <translation>Sie haben {n} von {all} Wörtern einen Bereich gegeben. Ihre Antworten sind aufbewahrt.</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} von {all}</translation>
    </message>
    <message>
        <source>A report states a finding with this word. How likely is it that the finding is there?</source>
        <translation>Ein Bericht nennt einen Befund mit diesem Wort. Wie wahrscheinlich ist es, dass der Befund vorliegt?</translation>
    </message>
</context>
<context>
    <name>tables</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search in {table}</source>
        <translation>Suchen in {table}</translation>
    </message>
    <message>
        <source>Table ▾</source>
        <translation>Tabelle ▾</translation>
    </message>
    <message>
        <source>{table}: copy, export, columns</source>
        <translation>{table}: kopieren, exportieren, Spalten</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>{n} rows</source>
        <translation>{n} Zeilen</translation>
    </message>
    <message>
        <source>{shown} of {n} rows</source>
        <translation>{shown} von {n} Zeilen</translation>
    </message>
    <message>
        <source>&amp;Copy the selected rows</source>
        <translation>Ausgewählte Zeilen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Export as CSV or Excel…</source>
        <translation>Als CSV oder Excel &amp;exportieren&#xa0;…</translation>
    </message>
    <message>
        <source>C&amp;olumns</source>
        <translation>&amp;Spalten</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Excel (*.xlsx)</source>
        <translation>Excel (*.xlsx)</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>{column}: low</source>
        <translation>{column}: unten</translation>
    </message>
    <message>
        <source>{column}: high</source>
        <translation>{column}: oben</translation>
    </message>
</context>
<context>
    <name>tasks</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>{what}: stopping</source>
        <translation>{what}: hält an</translation>
    </message>
    <message>
        <source>1 more waits</source>
        <translation>1 weitere wartet</translation>
    </message>
    <message>
        <source>{n} more wait</source>
        <translation>{n} weitere warten</translation>
    </message>
    <message>
        <source>: {done} of {total}</source>
        <translation>: {done} von {total}</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
</context>
<context>
    <name>trend</name>
    <message>
        <source>Over time</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>ECE* of what was hedged</source>
        <translation>ECE* des vorsichtig Formulierten</translation>
    </message>
    <message>
        <source>confirmed by CT</source>
        <translation>durch CT bestätigt</translation>
    </message>
    <message>
        <source>feedback given</source>
        <translation>Rückmeldung gegeben</translation>
    </message>
    <message>
        <source>{period}
n = {n}</source>
        <translation>{period}
n = {n}</translation>
    </message>
    <message>
        <source>{period}: n = {n}, not enough data</source>
        <translation>{period}: n = {n}, nicht genug Daten</translation>
    </message>
    <message>
        <source>{period}: {value}, n = {n}</source>
        <translation>{period}: {value}, n = {n}</translation>
    </message>
    <message>
        <source>luck alone {value}</source>
        <translation>reiner Zufall {value}</translation>
    </message>
    <message>
        <source>Q{quarter} {year}</source>
        <translation>{quarter}. Quartal {year}</translation>
    </message>
</context>
<context>
    <name>try</name>
    <message>
        <source>Try a sentence</source>
        <translation>Satz ausprobieren</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Forget the draft</source>
        <translation>Entwurf vergessen</translation>
    </message>
    <message>
        <source>&amp;Back to the pages</source>
        <translation>&amp;Zurück zu den Seiten</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Paste or type a sentence of a report, such as: Likely small left pleural effusion.

Nothing is stored: the draft is gone when you leave this page.</source>
        <translation>Fügen Sie einen Satz eines Berichts ein, oder tippen Sie ihn, etwa: Likely small left pleural effusion.

Nichts wird gespeichert: Der Entwurf ist weg, wenn Sie diese Seite verlassen.</translation>
    </message>
    <message>
        <source>F8 goes to the next suggestion, Ctrl+Enter uses it, Ctrl+Z takes it back.</source>
        <translation>F8 führt zum nächsten Vorschlag, Strg+Eingabe verwendet ihn, Strg+Z nimmt ihn zurück.</translation>
    </message>
    <message>
        <source>Words with a suggestion are filled and underlined in waves. Words that match what CT showed are underlined, those without advice dotted.</source>
        <translation>Wörter mit einem Vorschlag sind hinterlegt und gewellt unterstrichen. Wörter, die zur CT passten, sind unterstrichen, die ohne Empfehlung gepunktet.</translation>
    </message>
    <message>
        <source>Open a workspace. A draft is compared with a radiologist’s own results.</source>
        <translation>Öffnen Sie einen Arbeitsbereich. Ein Entwurf wird mit den eigenen Ergebnissen einer befundenden Person verglichen.</translation>
    </message>
    <message>
        <source>There are no results yet to compare a draft with. {why}</source>
        <translation>Es gibt noch keine Ergebnisse, mit denen ein Entwurf zu vergleichen wäre. {why}</translation>
    </message>
    <message>
        <source>Go to Import</source>
        <translation>Zum Import</translation>
    </message>
    <message>
        <source>Your own results beside the words of a draft. Nothing of it is stored.</source>
        <translation>Ihre eigenen Ergebnisse neben den Wörtern eines Entwurfs. Nichts davon wird gespeichert.</translation>
    </message>
    <message>
        <source>The results of {author} beside the words of a draft. Nothing of it is stored.</source>
        <translation>Die Ergebnisse von {author} neben den Wörtern eines Entwurfs. Nichts davon wird gespeichert.</translation>
    </message>
    <message>
        <source>Only examinations of these dates count: {dates}.</source>
        <translation>Nur Untersuchungen dieses Zeitraums zählen: {dates}.</translation>
    </message>
    <message>
        <source>The first {n} are shown.</source>
        <translation>Die ersten {n} werden gezeigt.</translation>
    </message>
    <message>
        <source>Put it into the draft (Ctrl+Enter); Ctrl+Z takes it back</source>
        <translation>In den Entwurf setzen (Strg+Eingabe); Strg+Z nimmt es zurück</translation>
    </message>
    <message>
        <source>{topic} ruled out</source>
        <translation>{topic} ausgeschlossen</translation>
    </message>
    <message>
        <source>{topic} without a hedge</source>
        <translation>{topic} ohne Einschränkung</translation>
    </message>
    <message>
        <source>{word} for {topic}</source>
        <translation>{word} zu {topic}</translation>
    </message>
    <message>
        <source>Suggestion</source>
        <translation>Vorschlag</translation>
    </message>
    <message>
        <source>Matches CT</source>
        <translation>Passt zur CT</translation>
    </message>
    <message>
        <source>No advice</source>
        <translation>Keine Empfehlung</translation>
    </message>
    <message>
        <source>{word} is in no list of words, so that its meaning is not known.</source>
        <translation>{word} steht in keiner Liste von Wörtern, sodass seine Bedeutung nicht bekannt ist.</translation>
    </message>
    <message>
        <source>Not used for {topic} in the reports that count here: there is nothing to go by.</source>
        <translation>In den Berichten, die hier zählen, nicht zu {topic} verwendet: Es gibt keinen Anhalt.</translation>
    </message>
    <message>
        <source>{n} use; advice needs {min}.</source>
        <translation>{n} Verwendung; eine Empfehlung braucht {min}.</translation>
    </message>
    <message>
        <source>{n} uses; advice needs {min}.</source>
        <translation>{n} Verwendungen; eine Empfehlung braucht {min}.</translation>
    </message>
    <message>
        <source>That agrees with what readers take it to mean.</source>
        <translation>Das stimmt mit dem überein, was darunter verstanden wird.</translation>
    </message>
    <message>
        <source>CT showed it in {y} of {n}: {rate}.</source>
        <translation>CT zeigte es in {y} von {n}: {rate}.</translation>
    </message>
    <message>
        <source>CT confirmed {y} of {n}: {rate}.</source>
        <translation>CT bestätigte {y} von {n}: {rate}.</translation>
    </message>
    <message>
        <source>No statement on a pathology was found in this draft.</source>
        <translation>In diesem Entwurf wurde keine Aussage zu einer Pathologie gefunden.</translation>
    </message>
    <message>
        <source>1 statement</source>
        <translation>1 Aussage</translation>
    </message>
    <message>
        <source>{n} statements</source>
        <translation>{n} Aussagen</translation>
    </message>
    <message>
        <source>{found}, no suggestion.</source>
        <translation>{found}, kein Vorschlag.</translation>
    </message>
    <message>
        <source>1 suggestion</source>
        <translation>1 Vorschlag</translation>
    </message>
    <message>
        <source>{n} suggestions</source>
        <translation>{n} Vorschläge</translation>
    </message>
    <message>
        <source>{found}, {made}.</source>
        <translation>{found}, {made}.</translation>
    </message>
    <message>
        <source>To say it with {target}, reword the sentence.</source>
        <translation>Um es mit {target} zu sagen, formulieren Sie den Satz um.</translation>
    </message>
    <message>
        <source>Use {target}</source>
        <translation>{target} verwenden</translation>
    </message>
</context>
<context>
    <name>verification</name>
    <message>
        <source>Of the findings &amp;without CT, this share was there:</source>
        <translation>Von den Befunden &amp;ohne CT lag dieser Anteil vor:</translation>
    </message>
    <message>
        <source>Rea&amp;d the reports without CT</source>
        <translation>Berichte ohne CT &amp;lesen</translation>
    </message>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>said</source>
        <translation>verwendet</translation>
    </message>
    <message>
        <source>with CT</source>
        <translation>mit CT</translation>
    </message>
    <message>
        <source>confirmed of those</source>
        <translation>davon bestätigt</translation>
    </message>
    <message>
        <source>of all, at this share</source>
        <translation>von allen, bei diesem Anteil</translation>
    </message>
    <message>
        <source>of all, none to all</source>
        <translation>von allen, keine bis alle</translation>
    </message>
    <message>
        <source>readers take it as</source>
        <translation>verstanden als</translation>
    </message>
    <message>
        <source>what follows</source>
        <translation>was daraus folgt</translation>
    </message>
    <message>
        <source>What no CT decided on</source>
        <translation>Worüber keine CT entschied</translation>
    </message>
    <message>
        <source>Counting what had a CT…</source>
        <translation>Es wird gezählt, was eine CT hatte&#xa0;…</translation>
    </message>
    <message>
        <source>{with_ct} of {reports} X-ray reports had a CT soon after. Of {said} statements on {topic}, a CT decided on {judged}. Whoever gets a CT is often a doubtful case, so the others may differ: the last columns say what they leave open.</source>
        <translation>Auf {with_ct} von {reports} Röntgenberichten folgte bald eine CT. Von {said} Aussagen zu {topic} entschied eine CT über {judged}. Wer eine CT bekommt, ist oft ein unklarer Fall, die übrigen können also anders sein: Die letzten Spalten sagen, was sie offenlassen.</translation>
    </message>
    <message>
        <source>{n} reports without CT have not been read yet; what they say is not counted.</source>
        <translation>{n} Berichte ohne CT sind noch nicht gelesen; was sie sagen, ist nicht gezählt.</translation>
    </message>
    <message>
        <source>Reading the reports without CT</source>
        <translation>Berichte ohne CT werden gelesen</translation>
    </message>
    <message>
        <source>{n} with CT; a verdict needs {min}</source>
        <translation>{n} mit CT; eine Aussage braucht {min}</translation>
    </message>
    <message>
        <source>{n}, {share}</source>
        <translation>{n}, {share}</translation>
    </message>
    <message>
        <source>{y} of {n}, {share}</source>
        <translation>{y} von {n}, {share}</translation>
    </message>
    <message>
        <source>stronger than CT supported, whatever the others were</source>
        <translation>stärker, als die CT stützte, wie immer die übrigen waren</translation>
    </message>
    <message>
        <source>weaker than CT supported, whatever the others were</source>
        <translation>schwächer, als die CT stützte, wie immer die übrigen waren</translation>
    </message>
    <message>
        <source>matches, whatever the others were</source>
        <translation>trifft zu, wie immer die übrigen waren</translation>
    </message>
    <message>
        <source>open: it depends on the others</source>
        <translation>offen: Es hängt von den übrigen ab</translation>
    </message>
    <message>
        <source>no CT decided on any</source>
        <translation>über keinen entschied eine CT</translation>
    </message>
    <message>
        <source>no verdict: the bounds reach over the whole range</source>
        <translation>keine Aussage: Die Grenzen umfassen alles</translation>
    </message>
</context>
<context>
    <name>why</name>
    <message>
        <source>What ECE is</source>
        <translation>Was der ECE ist</translation>
    </message>
    <message>
        <source>What luck gives</source>
        <translation>Was Zufall ergibt</translation>
    </message>
    <message>
        <source>Where most of it comes from</source>
        <translation>Woher das meiste kommt</translation>
    </message>
    <message>
        <source>What is enough</source>
        <translation>Was genügt</translation>
    </message>
    <message>
        <source>Each finding is put where readers take its words to be, and CT says how often such findings were there. ECE is the average distance between the two over all {n} findings: {ece}, which is {points} percentage points.</source>
        <translation>Jeder Befund steht dort, wo seine Wörter verstanden werden, und die CT sagt, wie oft solche Befunde vorlagen. Der ECE ist der mittlere Abstand zwischen beiden über alle {n} Befunde: {ece}, das sind {points} Prozentpunkte.</translation>
    </message>
    <message>
        <source>Over the hedged findings alone (ECE*) it is {star}: a plain “present” leaves luck no room.</source>
        <translation>Über die vorsichtig formulierten Befunde allein (ECE*) beträgt er {star}: Ein uneingeschränktes „present“ lässt dem Zufall keinen Raum.</translation>
    </message>
    <message>
        <source>What luck gives was not worked out for these findings.</source>
        <translation>Was Zufall ergibt, wurde für diese Befunde nicht berechnet.</translation>
    </message>
    <message>
        <source>Nobody reaches 0. If every word held exactly, the same words would still show {name} {mean} on average and up to {high} in 95 of 100 cases, because findings are few and each is there or is not.</source>
        <translation>Niemand erreicht 0. Träfe jedes Wort genau zu, ergäben dieselben Wörter dennoch {name} {mean} im Mittel und bis {high} in 95 von 100 Fällen, weil es wenige Befunde sind und jeder vorliegt oder nicht.</translation>
    </message>
    <message>
        <source>Here it is more than that, so the words themselves play a part ({p}).</source>
        <translation>Hier ist es mehr, also tragen die Wörter selbst dazu bei ({p}).</translation>
    </message>
    <message>
        <source>Here it is not more than that, so it says nothing about the words ({p}).</source>
        <translation>Hier ist es nicht mehr, also sagt es nichts über die Wörter ({p}).</translation>
    </message>
    <message>
        <source>{phrase} was said {n} times. Readers take it as {meaning}; CT confirmed {rate}. Its uses times the distance between the two are more than those of any other hedge.</source>
        <translation>{phrase} wurde {n}-mal verwendet. Verstanden wird es als {meaning}; CT bestätigte {rate}. Verwendungen mal Abstand der beiden sind mehr als bei jeder anderen vorsichtigen Formulierung.</translation>
    </message>
    <message>
        <source>A curve needs {group} findings, {phrase} of them hedged, and advice on a word {phrase} uses of it: fewer would draw chance. Here are {n}, {hedged} of them hedged.</source>
        <translation>Eine Kurve braucht {group} Befunde, davon {phrase} vorsichtig formuliert, und eine Empfehlung zu einem Wort {phrase} Verwendungen: Weniger würde Zufall zeichnen. Hier sind es {n}, davon {hedged} vorsichtig formuliert.</translation>
    </message>
    <message>
        <source>more finding would be enough for a curve.</source>
        <translation>weiterer Befund würde für eine Kurve genügen.</translation>
    </message>
    <message>
        <source>more findings would be enough for a curve.</source>
        <translation>weitere Befunde würden für eine Kurve genügen.</translation>
    </message>
</context>
<context>
    <name>window</name>
    <message>
        <source>Open a workspace</source>
        <translation>Arbeitsbereich öffnen</translation>
    </message>
    <message>
        <source>Nothing leaves this computer.</source>
        <translation>Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Sample: invented radiologists and reports.</source>
        <translation>Beispiel: erfundene Befundende und Berichte.</translation>
    </message>
    <message>
        <source>{path} – nothing leaves this computer.</source>
        <translation>{path} – nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>RadCal is still at work: {what}.</source>
        <translation>RadCal ist noch beschäftigt: {what}.</translation>
    </message>
    <message>
        <source>If you stop now, what is stored so far is kept, and the same work goes on from there. An import that has not ended begins anew; its files stay as they are.</source>
        <translation>Wenn Sie jetzt anhalten, bleibt das bisher Gespeicherte erhalten, und dieselbe Arbeit geht von dort aus weiter. Ein nicht beendeter Import beginnt neu; seine Dateien bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>&amp;Keep working</source>
        <translation>&amp;Weiterarbeiten</translation>
    </message>
    <message>
        <source>&amp;Stop and close</source>
        <translation>&amp;Anhalten und schließen</translation>
    </message>
    <message>
        <source>Save the page as PDF</source>
        <translation>Seite als PDF speichern</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message>
        <source>Extraction</source>
        <translation>Extraktion</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Reliability</source>
        <translation>Zuverlässigkeit</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>Rückmeldung</translation>
    </message>
    <message>
        <source>Try a sentence</source>
        <translation>Satz ausprobieren</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>hedge is</source>
        <translation>vorsichtige Formulierung ist</translation>
    </message>
    <message>
        <source>hedges are</source>
        <translation>vorsichtige Formulierungen sind</translation>
    </message>
    <message>
        <source>&amp;Open a workspace…</source>
        <translation>Arbeitsbereich ö&amp;ffnen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;New from report files…</source>
        <translation>&amp;Neu aus Berichtsdateien&#xa0;…</translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About RadCal</source>
        <translation>Ü&amp;ber RadCal</translation>
    </message>
    <message>
        <source>&amp;Quit RadCal</source>
        <translation>RadCal &amp;beenden</translation>
    </message>
    <message>
        <source>{title}, menu</source>
        <translation>{title}, Menü</translation>
    </message>
    <message>
        <source>Sample department</source>
        <translation>Beispielabteilung</translation>
    </message>
    <message>
        <source>{name} (encrypted, read only)</source>
        <translation>{name} (verschlüsselt, schreibgeschützt)</translation>
    </message>
    <message>
        <source>{name} (encrypted)</source>
        <translation>{name} (verschlüsselt)</translation>
    </message>
    <message>
        <source>The workspace’s file is gone, and no copy has been saved.</source>
        <translation>Die Datei des Arbeitsbereichs ist weg, und keine Kopie ist gesichert.</translation>
    </message>
    <message>
        <source>It was deleted, moved or replaced while it was open. Once RadCal is closed, what it held cannot be read here any more. A copy is saved under Settings, Back up.</source>
        <translation>Sie wurde gelöscht, verschoben oder ersetzt, während sie geöffnet war. Ist RadCal geschlossen, kann ihr Inhalt hier nicht mehr gelesen werden. Eine Kopie sichern Sie unter Einstellungen, Sicherungskopie.</translation>
    </message>
    <message>
        <source>&amp;Back to the workspace</source>
        <translation>&amp;Zurück zum Arbeitsbereich</translation>
    </message>
    <message>
        <source>&amp;Close without a copy</source>
        <translation>Ohne Kopie &amp;schließen</translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>X-ray {accession}</source>
        <translation>Röntgen {accession}</translation>
    </message>
    <message>
        <source>CT {accession}</source>
        <translation>CT {accession}</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
    <message>
        <source>and</source>
        <translation>und</translation>
    </message>
    <message>
        <source>a few seconds</source>
        <translation>einige Sekunden</translation>
    </message>
    <message>
        <source>{n} per second</source>
        <translation>{n} je Sekunde</translation>
    </message>
    <message>
        <source>{n} per minute</source>
        <translation>{n} je Minute</translation>
    </message>
</context>
<context>
    <name>words page</name>
    <message>
        <source>what “{phrase}” means</source>
        <translation>was „{phrase}“ bedeutet</translation>
    </message>
    <message>
        <source>Advice needs at least one word that it may propose.</source>
        <translation>Empfehlungen brauchen mindestens ein Wort, das sie vorschlagen dürfen.</translation>
    </message>
    <message>
        <source>whether advice may propose “{phrase}”</source>
        <translation>ob Empfehlungen „{phrase}“ vorschlagen dürfen</translation>
    </message>
    <message>
        <source>&amp;Mean</source>
        <translation>&amp;Mittelwert</translation>
    </message>
    <message>
        <source>S&amp;pread</source>
        <translation>S&amp;treuung</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>How far readers differ: the standard deviation, in percentage points.</source>
        <translation>Wie weit Lesende auseinanderliegen: die Standardabweichung in Prozentpunkten.</translation>
    </message>
    <message>
        <source>&amp;Reset to the survey</source>
        <translation>Auf die Umfrage &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Ad&amp;vice may propose this word</source>
        <translation>Empfehlungen dürfen dieses Wort &amp;vorschlagen</translation>
    </message>
    <message>
        <source>Remove the p&amp;hrase</source>
        <translation>Formu&amp;lierung entfernen</translation>
    </message>
    <message>
        <source>Synonyms</source>
        <translation>Synonyme</translation>
    </message>
    <message>
        <source>Further words that mean the same</source>
        <translation>Weitere Synonyme</translation>
    </message>
    <message>
        <source>New synonym</source>
        <translation>Neues Synonym</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>R&amp;emove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Move &amp;to ▾</source>
        <translation>Verschieben &amp;nach ▾</translation>
    </message>
    <message>
        <source>Let these words stand for another phrase</source>
        <translation>Diese Wörter für eine andere Formulierung stehen lassen</translation>
    </message>
    <message>
        <source>S&amp;ynonyms</source>
        <translation>S&amp;ynonyme</translation>
    </message>
    <message>
        <source>Choose a phrase</source>
        <translation>Formulierung wählen</translation>
    </message>
    <message>
        <source>Readers take it as {range} there, mean {mean}.</source>
        <translation>Dort verstanden als {range}, Mittelwert {mean}.</translation>
    </message>
    <message>
        <source>No survey that this list was made from has this phrase.</source>
        <translation>Keine Umfrage, aus der diese Liste entstand, enthält diese Formulierung.</translation>
    </message>
    <message>
        <source>resetting “{phrase}”</source>
        <translation>„{phrase}“ zurücksetzen</translation>
    </message>
    <message>
        <source>removing “{phrase}”</source>
        <translation>„{phrase}“ entfernen</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Parts of the page</source>
        <translation>Teile der Seite</translation>
    </message>
    <message>
        <source>Ask a &amp;colleague…</source>
        <translation>&amp;Jemanden fragen&#xa0;…</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>Mehr ▾</translation>
    </message>
    <message>
        <source>&amp;Import a survey or a list…</source>
        <translation>Umfrage oder Liste &amp;importieren&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Save the list as CSV…</source>
        <translation>Liste als CSV &amp;speichern&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Reset all to the survey</source>
        <translation>Alle auf die Umfrage &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Ana&amp;lyse again</source>
        <translation>Neu analysie&amp;ren</translation>
    </message>
    <message>
        <source>Meanings</source>
        <translation>Bedeutungen</translation>
    </message>
    <message>
        <source>Unknown words</source>
        <translation>Unbekannte Wörter</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Survey</source>
        <translation>Umfrage</translation>
    </message>
    <message>
        <source>Open a workspace to see and change what its words mean.</source>
        <translation>Öffnen Sie einen Arbeitsbereich, um zu sehen und zu ändern, was seine Wörter bedeuten.</translation>
    </message>
    <message>
        <source>The workspace is open to read only.</source>
        <translation>Der Arbeitsbereich ist schreibgeschützt geöffnet.</translation>
    </message>
    <message>
        <source>{phrases}, from absent to present, and what readers take them to mean.</source>
        <translation>{phrases}, von „absent“ bis „present“, und was darunter verstanden wird.</translation>
    </message>
    <message>
        <source>phrase</source>
        <translation>Formulierung</translation>
    </message>
    <message>
        <source>phrases</source>
        <translation>Formulierungen</translation>
    </message>
    <message>
        <source>{n} differs from the survey that the list was made from.</source>
        <translation>{n} weicht von der Umfrage ab, aus der die Liste entstand.</translation>
    </message>
    <message>
        <source>{n} differ from the survey that the list was made from.</source>
        <translation>{n} weichen von der Umfrage ab, aus der die Liste entstand.</translation>
    </message>
    <message>
        <source>{n} word of certainty in the reports is in no list</source>
        <translation>{n} Wort der Sicherheit in den Berichten steht in keiner Liste</translation>
    </message>
    <message>
        <source>{n} words of certainty in the reports are in no list</source>
        <translation>{n} Wörter der Sicherheit in den Berichten stehen in keiner Liste</translation>
    </message>
    <message>
        <source>What advice may propose, or another setting, has changed since these results.</source>
        <translation>Was Empfehlungen vorschlagen dürfen oder eine andere Einstellung hat sich seit diesen Ergebnissen geändert.</translation>
    </message>
    <message>
        <source>Words have changed: the results on show were made with the old ones.</source>
        <translation>Wörter haben sich geändert: Die gezeigten Ergebnisse entstanden mit den alten.</translation>
    </message>
    <message>
        <source>One report that the engine has not read yet will be read.</source>
        <translation>Ein Bericht, den das Leseverfahren noch nicht gelesen hat, wird gelesen.</translation>
    </message>
    <message>
        <source>{n} reports that the engine has not read yet will be read.</source>
        <translation>{n} Berichte, die das Leseverfahren noch nicht gelesen hat, werden gelesen.</translation>
    </message>
    <message>
        <source>One report will be read again.</source>
        <translation>Ein Bericht wird erneut gelesen.</translation>
    </message>
    <message>
        <source>{n} reports will be read again, because words stand for others now.</source>
        <translation>{n} Berichte werden erneut gelesen, weil Wörter jetzt für andere stehen.</translation>
    </message>
    <message>
        <source>No report has to be read again.</source>
        <translation>Kein Bericht muss erneut gelesen werden.</translation>
    </message>
    <message>
        <source>Analysing with the new words</source>
        <translation>Analyse mit den neuen Wörtern</translation>
    </message>
    <message>
        <source>adding “{words}”</source>
        <translation>„{words}“ hinzufügen</translation>
    </message>
    <message>
        <source>Import a survey or a list</source>
        <translation>Umfrage oder Liste importieren</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt)</source>
        <translation>Tabellen (*.csv *.tsv *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation>{name} lesen</translation>
    </message>
    <message>
        <source>taking over {name}</source>
        <translation>{name} übernehmen</translation>
    </message>
    <message>
        <source>resetting all meanings</source>
        <translation>alle Bedeutungen zurücksetzen</translation>
    </message>
    <message>
        <source>Save the list of phrases</source>
        <translation>Liste der Formulierungen speichern</translation>
    </message>
    <message>
        <source>moving “{words}”</source>
        <translation>„{words}“ verschieben</translation>
    </message>
    <message>
        <source>A plain statement: it means {mean}, and cannot be moved.</source>
        <translation>Eine eindeutige Aussage: Sie bedeutet {mean} und kann nicht verschoben werden.</translation>
    </message>
    <message>
        <source>All readers take it as {mean}.</source>
        <translation>Alle verstehen es als {mean}.</translation>
    </message>
    <message>
        <source>Readers take it as {range}, mean {mean}; they differ by {spread} points.</source>
        <translation>Verstanden als {range}, Mittelwert {mean}; Lesende weichen um {spread} Punkte ab.</translation>
    </message>
    <message>
        <source>What readers take the phrases to mean</source>
        <translation>Wie die Formulierungen verstanden werden</translation>
    </message>
    <message>
        <source>Phrases</source>
        <translation>Formulierungen</translation>
    </message>
    <message>
        <source>&amp;New phrase…</source>
        <translation>Ne&amp;ue Formulierung&#xa0;…</translation>
    </message>
    <message>
        <source>Drag a curve to move its mean, its square to change its spread. The dot is the mean, the bar the range that readers take it as.</source>
        <translation>Eine Kurve ziehen ändert ihren Mittelwert, ihr Quadrat ziehen ihre Streuung. Der Punkt ist der Mittelwert, der Balken der verstandene Bereich.</translation>
    </message>
    <message>
        <source>Two lists compared</source>
        <translation>Zwei Listen im Vergleich</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erste</translation>
    </message>
    <message>
        <source>second</source>
        <translation>zweite</translation>
    </message>
    <message>
        <source>points apart</source>
        <translation>Punkte Abstand</translation>
    </message>
    <message>
        <source>first, range</source>
        <translation>erste, Bereich</translation>
    </message>
    <message>
        <source>second, range</source>
        <translation>zweite, Bereich</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Coloured: {first}. Dashed: {second}. They have no phrase in common.</source>
        <translation>Farbig: {first}. Gestrichelt: {second}. Sie haben keine Formulierung gemeinsam.</translation>
    </message>
    <message>
        <source>Coloured: {first}. Dashed: {second}. Of {n} phrases, {both} are in both; mean difference: {points}.</source>
        <translation>Farbig: {first}. Gestrichelt: {second}. Von {n} Formulierungen sind {both} in beiden; mittlere Abweichung: {points}.</translation>
    </message>
    <message>
        <source>point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>First list</source>
        <translation>Erste Liste</translation>
    </message>
    <message>
        <source>Second list</source>
        <translation>Zweite Liste</translation>
    </message>
    <message>
        <source>&amp;Take over the second…</source>
        <translation>Zweite ü&amp;bernehmen&#xa0;…</translation>
    </message>
    <message>
        <source>See what would change, then make it the department’s words.</source>
        <translation>Sehen, was sich ändern würde, und sie dann zu den Wörtern der Abteilung machen.</translation>
    </message>
    <message>
        <source>&amp;First</source>
        <translation>&amp;Erste</translation>
    </message>
    <message>
        <source>&amp;Second</source>
        <translation>Z&amp;weite</translation>
    </message>
    <message>
        <source>The department’s words, now</source>
        <translation>Die Wörter der Abteilung, jetzt</translation>
    </message>
    <message>
        <source>Survey of 142 radiologists (shipped)</source>
        <translation>Umfrage unter 142 Befundenden (mitgeliefert)</translation>
    </message>
    <message>
        <source>Survey of 123 people of the public (shipped)</source>
        <translation>Umfrage unter 123 Personen der Bevölkerung (mitgeliefert)</translation>
    </message>
    <message>
        <source>The department’s own survey</source>
        <translation>Die eigene Umfrage der Abteilung</translation>
    </message>
    <message>
        <source>Version of {when}: {what}</source>
        <translation>Fassung von {when}: {what}</translation>
    </message>
    <message>
        <source>New phrase</source>
        <translation>Neue Formulierung</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Words</source>
        <translation>&amp;Wörter</translation>
    </message>
    <message>
        <source>&amp;Mean certainty</source>
        <translation>&amp;Mittlere Sicherheit</translation>
    </message>
    <message>
        <source>respondent</source>
        <translation>teilnehmende Person</translation>
    </message>
    <message>
        <source>words answered</source>
        <translation>beantwortete Wörter</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} von {all}</translation>
    </message>
    <message>
        <source>begun</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>can go on</source>
        <translation>kann weitermachen</translation>
    </message>
    <message>
        <source>Respondents</source>
        <translation>Teilnehmende</translation>
    </message>
    <message>
        <source>&amp;Ask a colleague…</source>
        <translation>Jemanden fra&amp;gen&#xa0;…</translation>
    </message>
    <message>
        <source>&amp;Go on…</source>
        <translation>&amp;Weitermachen&#xa0;…</translation>
    </message>
    <message>
        <source>Let the chosen respondent go on, or look at the answers.</source>
        <translation>Die gewählte Person weitermachen lassen oder die Antworten ansehen.</translation>
    </message>
    <message>
        <source>Re&amp;move the answers</source>
        <translation>Antworten ent&amp;fernen</translation>
    </message>
    <message>
        <source>&amp;Take over the survey…</source>
        <translation>Umfrage ü&amp;bernehmen&#xa0;…</translation>
    </message>
    <message>
        <source>What the answers come to</source>
        <translation>Was die Antworten ergeben</translation>
    </message>
    <message>
        <source>Colleagues say at this computer which range of certainty each word means to them. With {n} answers on a word its meaning is known, with its spread; more make it firmer.</source>
        <translation>Kolleginnen und Kollegen sagen an diesem Computer, welchen Bereich an Sicherheit jedes Wort für sie bedeutet. Mit {n} Antworten zu einem Wort ist seine Bedeutung bekannt, samt Streuung; mehr festigen sie.</translation>
    </message>
    <message>
        <source>Anonymous {n}</source>
        <translation>Anonym {n}</translation>
    </message>
    <message>
        <source>respondents</source>
        <translation>Teilnehmende</translation>
    </message>
    <message>
        <source>Nobody has answered yet.</source>
        <translation>Noch hat niemand geantwortet.</translation>
    </message>
    <message>
        <source>{people}; a word needs {n} answers before its meaning is known.</source>
        <translation>{people}; ein Wort braucht {n} Antworten, bevor seine Bedeutung bekannt ist.</translation>
    </message>
    <message>
        <source>{people}; the meaning of {known} of {all} words is known.</source>
        <translation>{people}; die Bedeutung von {known} der {all} Wörter ist bekannt.</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>Fewer than {n} answers, and left as they are: {words}.</source>
        <translation>Weniger als {n} Antworten und unverändert gelassen: {words}.</translation>
    </message>
    <message>
        <source>the department’s own survey</source>
        <translation>die eigene Umfrage der Abteilung</translation>
    </message>
    <message>
        <source>removing answers</source>
        <translation>Antworten entfernen</translation>
    </message>
    <message>
        <source>Take over {name}</source>
        <translation>{name} übernehmen</translation>
    </message>
    <message>
        <source>the words of now</source>
        <translation>die jetzigen Wörter</translation>
    </message>
    <message>
        <source>&amp;Keep the phrases that it does not have</source>
        <translation>Formulierungen &amp;behalten, die sie nicht enthält</translation>
    </message>
    <message>
        <source>&amp;Only its phrases; all others go</source>
        <translation>&amp;Nur ihre Formulierungen; alle anderen entfallen</translation>
    </message>
    <message>
        <source>&amp;Take over</source>
        <translation>&amp;Übernehmen</translation>
    </message>
    <message>
        <source>Synonyms stay with their phrases.</source>
        <translation>Synonyme bleiben bei ihren Formulierungen.</translation>
    </message>
    <message>
        <source>{n} phrases then.</source>
        <translation>{n} Formulierungen danach.</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>Nichts würde sich ändern.</translation>
    </message>
    <message>
        <source>New: {words}.</source>
        <translation>Neu: {words}.</translation>
    </message>
    <message>
        <source>Gone: {words}.</source>
        <translation>Weg: {words}.</translation>
    </message>
    <message>
        <source>words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>for example</source>
        <translation>zum Beispiel</translation>
    </message>
    <message>
        <source>Phrase that these words stand for</source>
        <translation>Formulierung, für die diese Wörter stehen</translation>
    </message>
    <message>
        <source>&amp;Place them there</source>
        <translation>Dort &amp;zuordnen</translation>
    </message>
    <message>
        <source>Enter in the table does the same.</source>
        <translation>Die Eingabetaste in der Tabelle tut dasselbe.</translation>
    </message>
    <message>
        <source>Make them a phrase of their &amp;own</source>
        <translation>Zu einer &amp;eigenen Formulierung machen</translation>
    </message>
    <message>
        <source>They mean the &amp;same as</source>
        <translation>Sie &amp;bedeuten dasselbe wie</translation>
    </message>
    <message>
        <source>No reports were read yet. Words that are in no list are shown here then.</source>
        <translation>Noch wurden keine Berichte gelesen. Wörter aus keiner Liste werden dann hier gezeigt.</translation>
    </message>
    <message>
        <source>Every word of certainty that was found in the reports is in the list.</source>
        <translation>Jedes in den Berichten gefundene Wort der Sicherheit steht in der Liste.</translation>
    </message>
    <message>
        <source>Every word that was found is placed now. Analyse again to count them.</source>
        <translation>Jedes gefundene Wort ist jetzt zugeordnet. Analysieren Sie neu, um sie mitzuzählen.</translation>
    </message>
    <message>
        <source>These words express certainty and are in no list. Their findings are counted, but have no meaning that could be compared with CT, until you place them.</source>
        <translation>Diese Wörter drücken Sicherheit aus und stehen in keiner Liste. Ihre Befunde sind gezählt, haben aber keine Bedeutung, die mit der CT zu vergleichen wäre, bis Sie die Wörter zuordnen.</translation>
    </message>
    <message>
        <source>found once</source>
        <translation>einmal gefunden</translation>
    </message>
    <message>
        <source>found {n} times</source>
        <translation>{n}-mal gefunden</translation>
    </message>
    <message>
        <source>placing “{words}”</source>
        <translation>„{words}“ zuordnen</translation>
    </message>
</context>
</TS>
