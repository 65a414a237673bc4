"""One hand as six rooms would tell it: Bob raises, Ann calls twice and wins 6.90 with a pair of kings."""

FULL_TILT = """\
Full Tilt Poker Game #13186000001: Table Oak (6 max) - $0.25/$0.50 - No Limit Hold'em - 21:14:05 ET - 2009/07/01
Seat 1: Ann ($50)
Seat 2: Bob ($61.25)
Seat 4: Cem ($38.10)
Cem posts the small blind of $0.25
Ann posts the big blind of $0.50
The button is in seat #2
*** HOLE CARDS ***
Bob raises to $1.50
Cem folds
Ann calls $1
*** FLOP *** [2c 7d Kh]
Ann checks
Bob bets $2
Ann calls $2
*** TURN *** [2c 7d Kh] [9s]
Ann checks
Bob checks
*** RIVER *** [2c 7d Kh 9s] [3c]
Ann checks
Bob checks
*** SHOW DOWN ***
Ann shows [Ks Jd] a pair of Kings
Bob shows [9d 8d] a pair of Nines
Ann wins the pot ($6.90) with a pair of Kings
*** SUMMARY ***
Total pot $7.25 | Rake $0.35
Board: [2c 7d Kh 9s 3c]
Seat 1: Ann (big blind) showed [Ks Jd] and won ($6.90) with a pair of Kings


"""
ABSOLUTE = """Stage #3017000001: Holdem  No Limit $0.50 - 2009-07-01 21:14:05 (ET)
Table: OAK (Real Money) Seat #2 is the dealer
Seat 1 - Ann ($50 in chips)
Seat 2 - Bob ($61.25 in chips)
Seat 4 - Cem ($38.10 in chips)
Cem - Posts small blind $0.25
Ann - Posts big blind $0.50
*** POCKET CARDS ***
Bob - Raises $1.50 to $1.50
Cem - Folds
Ann - Calls $1
*** FLOP *** [2c 7d Kh]
Ann - Checks
Bob - Bets $2
Ann - Calls $2
*** TURN *** [2c 7d Kh] [9s]
Ann - Checks
Bob - Checks
*** RIVER *** [2c 7d Kh 9s] [3c]
Ann - Checks
Bob - Checks
*** SHOW DOWN ***
Ann - Shows [Ks Jd] (One pair, kings)
Bob - Shows [9d 8d] (One pair, nines)
Ann Collects $6.90 from main pot
*** SUMMARY ***
Total Pot($7.25) | Rake ($0.35)
Board [2c 7d Kh 9s 3c]
Seat 1: Ann (big blind) collected Total ($6.90) HI:($6.90) with One pair, kings [Ks Jd]
Seat 2: Bob (dealer) HI: [9d 8d]
Seat 4: Cem (small blind) Folded on the POCKET CARDS


"""
ONGAME = """***** History for hand R5-1676558-1 *****
Start hand: Wed Jul 01 21:14:05 GMT+0100 2009
Table: Oak [227111025] (NO_LIMIT TEXAS_HOLDEM $0.25/$0.50, Real money)
User: 0
Button: seat 2
Players in round: 3
Seat 1: Ann ($50)
Seat 2: Bob ($61.25)
Seat 4: Cem ($38.10)
Cem posts small blind ($0.25)
Ann posts big blind ($0.50)
---
Dealing pocket cards
Bob raises $1.50 to $1.50
Cem folds
Ann calls $1
--- Dealing flop [2c, 7d, Kh]
Ann checks
Bob bets $2
Ann calls $2
--- Dealing turn [9s]
Ann checks
Bob checks
--- Dealing river [3c]
Ann checks
Bob checks
---
Summary:
Main pot: $7.25 won by Ann ($6.90)
Rake taken: $0.35
Seat 1: Ann ($53.40), net: +$3.40, [Ks, Jd] (PAIR KING)
Seat 2: Bob ($57.75), net: -$3.50, [9d, 8d] (PAIR NINE)
Seat 4: Cem ($37.85), net: -$0.25
***** End of hand R5-1676558-1 *****


"""
PARTY = """Game #8211000001 starts.

#Game No : 8211000001
***** Hand History for Game 8211000001 *****
$50 USD NL Texas Hold'em - Wednesday, July 01, 21:14:05 EDT 2009
Table Oak (Real Money)
Seat 2 is the button
Total number of players : 3/6
Seat 1: Ann ( $50 USD )
Seat 2: Bob ( $61.25 USD )
Seat 4: Cem ( $38.10 USD )
Cem posts small blind [$0.25 USD].
Ann posts big blind [$0.50 USD].
** Dealing down cards **
Bob raises [$1.50 USD]
Cem folds
Ann calls [$1 USD]
** Dealing Flop ** [ 2c, 7d, Kh ]
Ann checks
Bob bets [$2 USD]
Ann calls [$2 USD]
** Dealing Turn ** [ 9s ]
Ann checks
Bob checks
** Dealing River ** [ 3c ]
Ann checks
Bob checks
Ann shows [ Ks, Jd ]a pair of Kings.
Bob shows [ 9d, 8d ]a pair of Nines.
Ann wins $6.90 USD from the main pot with a pair of Kings.


"""
IPOKER = """<session sessioncode="1"><general><tablename>Oak</tablename><currency>USD</currency></general>
<game gamecode="2222000001">
<general>
<startdate>2009-07-01 21:14:05</startdate>
<players>
<player seat="1" name="Ann" chips="$50" dealer="0" win="$6.90" bet="$3.50"/>
<player seat="2" name="Bob" chips="$61.25" dealer="1" win="$0" bet="$3.50"/>
<player seat="4" name="Cem" chips="$38.10" dealer="0" win="$0" bet="$0.25"/>
</players>
</general>
<round no="0">
<action no="1" player="Cem" type="1" sum="$0.25" cards=""/>
<action no="2" player="Ann" type="2" sum="$0.50" cards=""/>
</round>
<round no="1">
<cards type="Pocket" player="Ann">SK DJ</cards>
<cards type="Pocket" player="Bob">D9 D8</cards>
<cards type="Pocket" player="Cem">X X</cards>
<action no="3" player="Bob" type="23" sum="$1.50" cards=""/>
<action no="4" player="Cem" type="0" sum="$0" cards=""/>
<action no="5" player="Ann" type="3" sum="$1" cards=""/>
</round>
<round no="2">
<cards type="Flop" player="">C2 D7 HK</cards>
<action no="6" player="Ann" type="4" sum="$0" cards=""/>
<action no="7" player="Bob" type="5" sum="$2" cards=""/>
<action no="8" player="Ann" type="3" sum="$2" cards=""/>
</round>
<round no="3">
<cards type="Turn" player="">S9</cards>
<action no="9" player="Ann" type="4" sum="$0" cards=""/>
<action no="10" player="Bob" type="4" sum="$0" cards=""/>
</round>
<round no="4">
<cards type="River" player="">C3</cards>
<action no="11" player="Ann" type="4" sum="$0" cards=""/>
<action no="12" player="Bob" type="4" sum="$0" cards=""/>
</round>
</game>
</session>
"""
