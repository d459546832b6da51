"""Common English verbs: the regular ones by their base form, the others with their other forms."""

REGULAR = """
    accept achieve acknowledge acquire act activate add address adjust admit adopt advance
    advise affect agree aim allow analyse analyze announce answer apologise appear apply
    appoint approach approve argue arrange arrive ask assess assign assist assume attach
    attempt attend authorise authorize avoid award back base belong block boil book borrow
    brush burn bury calculate call cancel carry cause change characterise charge check choose
    claim clarify clean clear close collect combine comment communicate compare compete
    complain complete comprise compute concern conclude conduct confirm connect consider
    consist construct consult contact contain continue contribute control convert cook cool
    cope copy correct cost count cover create cross cure damage date deal decide declare
    decline decrease define delay delete deliver demand demonstrate depend deploy deposit
    derive describe design destroy detect determine develop diagnose die differ differentiate
    dilute direct disappear discard discover discuss display dissolve distribute divide double
    drain drop earn elect eliminate emphasise employ enable encounter encourage end endorse
    enforce engage enjoy enrol enroll ensure enter equal escape establish estimate evaluate
    examine exceed exchange exclude execute exist expand expect expire explain explore export
    expose express extend face fail fill filter finish fit fix flush follow force form found
    function gain gather generate grant guarantee guide hand handle happen harvest head heat
    help hire hope hospitalise host house identify ignore illustrate implement imply import
    impose improve include increase incubate indicate induce infect influence inform inhibit
    initiate inject insert inspect install insure intend interest introduce invent invest
    investigate invite invoke involve isolate issue join judge jump justify kill label lack
    land last launch lift limit link list listen load locate lock look lower maintain manage
    mark match matter measure mention merge minimise minimize mix monitor move multiply name
    need note notice notify object observe obtain occupy occur offer open operate oppose order
    organise organize own pack paint park participate pass patch pause perform permit phone
    place plan plant plot point possess post postpone pour practise predict prefer prepare
    prescribe present preserve press prevent print process produce prohibit promise promote
    propose protect prove provide publish pull pump purchase push qualify question raise
    randomise range rank reach react realise realize receive recognise recognize recommend
    record recover recruit reduce refer reflect refuse regard register regulate reject relate
    relax release rely remain remember remind remove renew rent reopen reorder repaint repair
    repeat replace reply report represent request require resemble reserve resign resist
    resolve respond rest restart restore restrict result resume retain retire return reveal
    review revise reward rinse roll rule sample sanitise sanitize save scan schedule score
    screen seal search secure seem separate serve settle share shift ship shorten sign simulate
    skip slip solve sort spray stabilise start state stay step stick stop store strengthen
    stretch submit succeed suffer suggest suit supply support suppose surround survey suspend
    switch tackle talk tend test thank tighten total touch trace track trade train transfer
    transmit transport trap travel treat trigger trim try turn type undergo unplug update
    upgrade upload use utilise vaccinate validate value vary verify view visit vote wait walk
    want warn wash waste watch water weigh welcome weld wish wonder work worry yield
"""
IRREGULAR = """
    become became become, rebuild rebuilt, redo redid redone, reset reset, resell resold, cast
    cast, forbid forbade forbidden, foresee foresaw foreseen, begin began begun, bind bound,
    bite bit bitten, blow blew blown, break broke broken, bring brought, build built, buy
    bought, catch caught, choose chose chosen, come came come, cut cut, do did done, draw drew
    drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed,
    feel felt, fight fought, find found, fly flew flown, forget forgot forgotten, get got, give
    gave given, go went gone, grow grew grown, hang hung, have had, hear heard, hide hid
    hidden, hit hit, hold held, hurt hurt, keep kept, know knew known, lay laid, lead led,
    leave left, lend lent, let let, lie lay lain, light lit, lose lost, make made, mean meant,
    meet met, overcome overcame overcome, pay paid, put put, read read, ride rode ridden, ring
    rang rung, rise rose risen, run ran run, say said, see saw seen, sell sold, send sent, set
    set, shake shook shaken, show showed shown, shrink shrank shrunk, shut shut, sit sat, sleep
    slept, speak spoke spoken, spend spent, split split, spread spread, stand stood, steal
    stole stolen, strike struck, swim swam swum, take took taken, teach taught, tell told,
    think thought, throw threw thrown, undergo underwent undergone, understand understood,
    undertake undertook undertaken, wear wore worn, win won, withdraw withdrew withdrawn, write
    wrote written
"""
